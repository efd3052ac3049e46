import type { JsonObject } from '@agent-service/sdk'
import { shownTime } from '@agent-service/sdk/contracts/cli-command'

/** How long a grant lasts, in a few words. */
export function termOf({ once, expires_at: expiresAt }: JsonObject): string {
  const until = typeof expiresAt === 'string' ? `until ${shownTime(expiresAt)} UTC` : ''
  if (once === true) return until === '' ? 'once' : `once, ${until}`
  return until === '' ? 'for good' : until
}
