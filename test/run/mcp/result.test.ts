import { describe, expect, test } from 'vitest'
import { contentsOf, resultOf } from '../../../runner/mcp/result.ts'
import { PICTURES } from '../pictures.ts'

const base64 = (text: string, bytes = 0): string => Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(bytes)]).toString('base64')
const image = (data: string, mimeType: string) => ({ type: 'image' as const, data, mimeType })
const LARGEST = (5 * 1024 * 1024 * 3) / 4

describe('a picture of a server is what its bytes are', () => {
  test.each(Object.entries(PICTURES))('%s goes to the model under that name, whatever the server calls it', (media_type, head) => {
    const data = base64(head)
    for (const said of ['image/png', 'image/gif', 'image/tiff', 'nonsense']) {
      expect(resultOf({ content: [image(data, said)] }).images).toEqual([{ type: 'base64', media_type, data }])
      expect(contentsOf([{ uri: 'demo://a', mimeType: said, blob: data }]).images).toEqual([{ type: 'base64', media_type, data }])
    }
    expect(contentsOf([{ uri: 'demo://a', blob: data }]).images).toEqual([{ type: 'base64', media_type, data }])
  })

  test.each(['no picture at all', '', 'II*\0\b\0\0\0', '%PDF-1.7\n'])(
    '%j is called a picture and is none: it is left out and named',
    (text) => {
      for (const said of Object.keys(PICTURES)) {
        const { text: shown, images } = resultOf({ content: [{ type: 'text', text: 'before' }, image(base64(text), said)] })
        expect(images).toBeUndefined()
        expect(shown).toMatch(/^before\n\[a picture \(image\/\w+, \d KiB\), which cannot be shown\]$/)
      }
      expect(contentsOf([{ uri: 'demo://a', mimeType: 'image/png', blob: base64(text) }])).toMatchObject({
        text: expect.stringMatching(/^\[resource demo:\/\/a \(image\/png, \d KiB\), which cannot be shown\]$/) as string,
        isError: false,
      })
    },
  )

  test('one that fills what the API takes is shown, one byte more is left out and named with the limit', () => {
    const head = PICTURES['image/png']
    const fits = base64(head, LARGEST - head.length)
    const over = base64(head, LARGEST - head.length + 1)
    const { text, images } = resultOf({ content: [image(fits, 'image/png'), image(over, 'image/png')] })
    expect(images?.map(({ data }) => data.length)).toEqual([fits.length])
    expect(text).toBe('[a picture (image/png, 3841 KiB), which is larger than the API takes (3840 KiB)]')
  })

  test('base64 that is written otherwise than the API takes it is written anew', () => {
    const data = base64(PICTURES['image/gif'])
    const { images } = resultOf({ content: [image(` ${data.slice(0, 4)}\n${data.slice(4).replaceAll('=', '')}`, 'image/gif')] })
    expect(images).toEqual([{ type: 'base64', media_type: 'image/gif', data }])
  })
})
