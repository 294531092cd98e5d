import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seconds } from './duration.js'

test('hours and minutes add up', () => assert.equal(seconds('1h 30m'), 5400))
