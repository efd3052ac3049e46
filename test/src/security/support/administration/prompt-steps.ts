import { expect } from 'chai'
import { at, remember, type Step, send, subjectIs } from './step.js'

/** Prompts that everyone has. */
export const promptSteps: Readonly<Record<string, Step>> = {
  sharePrompt: {
    async call(world) {
      await remember(world, 'prompt', send(world, 'POST', '/api/prompts', { command: 'shared', title: 'For all', text: 'For all.' }))
      return send(world, 'PUT', `/api/admin/prompts/${at(world, 'prompt')}/shared`, { shared: 'everyone' })
    },
    noted: 'shared_prompt.published',
    check(entry, world, answer) {
      expect(answer.status).to.equal(204)
      subjectIs('prompt')(entry, world)
    },
  },
}
