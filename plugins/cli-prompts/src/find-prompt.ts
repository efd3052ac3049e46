import { defineError, type JsonObject } from '@agent-service/sdk'
import { type CommandContext, listAll } from '@agent-service/sdk/contracts/cli-command'

const promptMissingError = defineError<{ readonly command: string; readonly own: boolean }>({
  code: 'prompt_missing',
  status: 404,
  title: 'No such prompt',
  message: ({ command, own }) => `${own ? 'You have' : 'There is'} no prompt “/${command}”. “prompts list” shows those that there are.`,
})

/** A command as people type it, with or without the slash. */
export const commandOf = (typed: string): string => typed.replace(/^\//, '')

/** The prompt that a command means: the person's own, else the shared one. @throws `prompt_missing`. */
export async function findPrompt(
  request: CommandContext['request'],
  typed: string,
  { own = false }: { readonly own?: boolean } = {},
): Promise<JsonObject> {
  const command = commandOf(typed)
  const { items } = await listAll(request, '/api/prompts', { query: { whose: own ? 'own' : 'all' } })
  const prompt = items.find((each) => each['command'] === command && each['shadowed'] !== true)
  if (!prompt) throw promptMissingError.create({ command, own })
  return prompt
}
