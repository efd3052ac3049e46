import { defineError } from '@agent-service/sdk'

/** Another prompt has the command: one of the person, or one that everyone has. */
export const promptCommandTakenError = defineError<{ readonly command: string; readonly among: 'own' | 'shared' }>({
  code: 'prompt_command_taken',
  status: 409,
  title: 'Command is taken',
  message: ({ command, among }) =>
    among === 'own'
      ? `You have a prompt with the command “/${command}” already. Choose another command, or change that prompt.`
      : `Everyone has a prompt with the command “/${command}” already. Choose another command before you share this one.`,
})

/** The prompt was changed since the client read it. */
export const stalePromptError = defineError<{ readonly expected: string; readonly actual: number }>({
  code: 'stale_prompt',
  status: 412,
  title: 'Prompt changed in the meantime',
  message: ({ expected, actual }) =>
    `The prompt is at version ${actual}, but the change was made against ${expected}. Read the prompt again and repeat the change.`,
})
