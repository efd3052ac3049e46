import { defineError } from '@agent-service/sdk'
import type { CommandContext } from '@agent-service/sdk/contracts/cli-command'

/** Something would be lost, and no one agreed to it. */
export const notConfirmedError = defineError<{ readonly what: string }>({
  code: 'not_confirmed',
  status: 400,
  title: 'Not confirmed',
  message: ({ what }) => `Without a confirmation, ${what} was not deleted. Pass --yes to delete it without a question.`,
})

/** The option that answers the question of {@link confirmDeletion} in advance. */
export const yesOption = { name: 'yes', description: 'delete without asking' } as const

/** Asks whether to delete something, unless `--yes` was given. @throws `not_confirmed`. */
export async function confirmDeletion(
  context: CommandContext,
  what: string,
  { isRestorable = false }: { readonly isRestorable?: boolean } = {},
): Promise<void> {
  if (context.options['yes'] === true) return
  const answer = context.interactive ? await context.ask(`Delete ${what}${isRestorable ? '' : ' for good'}? (y/N)`) : ''
  if (!/^y(es)?$/i.test(answer.trim())) throw notConfirmedError.create({ what })
}
