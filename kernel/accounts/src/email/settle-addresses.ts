import { allOf } from '@agent-service/kernel-core/database/collections'
import { emailAddress } from '@agent-service/sdk/email-addresses'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import { authSettings, externalIdentities, users } from '../records/records.js'
import { timestamp } from '../records/timestamps.js'

/**
 * Once for the accounts of earlier releases, which knew neither the one form of an address nor whether
 * it is confirmed: an address gets that form if it has one that is free, and is confirmed if an
 * identity of the account proves it. After a crash the next start goes on.
 */
export async function settleAddresses({ database, clock }: { readonly database: Database; readonly clock: Clock }): Promise<void> {
  const marks = database.collection(authSettings)
  if (await marks.get('settled-addresses')) return
  for await (const { id, email } of allOf(database.collection(users), { index: 'by_username' })) {
    const form = email === null ? undefined : emailAddress(email)
    if (form !== undefined && form !== email) await rename(database, id, { from: email, to: form })
  }
  for await (const { user_id: userId, email, email_verified: verified } of allOf(database.collection(externalIdentities), {
    index: 'by_user',
  }))
    if (verified === true && email !== null) await prove(database, userId, emailAddress(email), timestamp(clock.now()))
  await marks.put({ id: 'settled-addresses', value: timestamp(clock.now()) })
}

const rename = (database: Database, userId: string, { from, to }: { readonly from: string | null; readonly to: string }): Promise<void> =>
  database.transaction(async (transaction) => {
    const user = await transaction.get(users, userId)
    if (user?.email === from && !(await transaction.find(users, 'by_email', [to]))) transaction.put(users, { ...user, email: to })
  })

const prove = (database: Database, userId: string, email: string | undefined, at: string): Promise<void> =>
  database.transaction(async (transaction) => {
    const user = await transaction.get(users, userId)
    if (user && user.email !== null && user.email === email && user.email_verified_at === null)
      transaction.put(users, { ...user, email_verified_at: at })
  })
