import { failed, fine, type Tool } from './tool.ts'

/** Puts a question to the person. Where there is none the call fails at once, and the model can go on by its own judgement. */
export const askUserQuestionTool: Tool = {
  async run(input, context) {
    const question = { text: input.question as string, options: input.options as string[] | undefined }
    const answer = await context.askPerson(question, context.signal)
    if ('nobody' in answer) {
      const text = 'Nobody can be asked here. Go on by what you know, and say in your answer what you assumed.'
      return { ...failed(text), unanswered: true }
    }
    return fine(`The person answers: ${answer.answer}`)
  },
}
