import { defineError } from '@agent-service/sdk'

/** The files of the catalogue are damaged. */
export const catalogueInvalidError = defineError<{ readonly path: string; readonly reason: string }>({
  code: 'catalogue_invalid',
  status: 500,
  title: 'Catalogue invalid',
  message: ({ path, reason }) => `The file ${path} of the shared resources cannot be used: ${reason}. Restore it from the installation.`,
})

/** A budget needs at least one limit. */
export const budgetWithoutLimitError = defineError<Record<string, never>>({
  code: 'budget_without_limit',
  status: 422,
  title: 'Budget without a limit',
  message: () => 'A budget needs limit_usd, limit_tokens, or both. To remove the budget, delete it.',
})

/** The catalogue could not be refreshed; the previous one stays in use. */
export const catalogueRefreshError = defineError<{ readonly reason: string }>({
  code: 'catalogue_refresh_failed',
  status: 503,
  title: 'Catalogue not refreshed',
  message: ({ reason }) => `The model catalogue was not refreshed: ${reason}. The previous catalogue stays in use; try again later.`,
})
