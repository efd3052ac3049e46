import { type DoctorCheck, type DoctorFinding, defineDoctorCheck } from '@agent-service/sdk/contracts/doctor-check'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Urls } from '@agent-service/sdk/services/urls'
import type { MailSettings } from './common/mail-section.js'
import { unreachableAdmins } from './common/unreachable-admins.js'

/**
 * Connects to the mail server, and signs in, if one is configured. In a running service, which has
 * `accounts`, it also finds the administrators whom no alarm reaches.
 */
export const createMailCheck = (
  settings: MailSettings,
  urls: Pick<Urls, 'page'>,
  accounts?: Pick<Accounts, 'contact' | 'admins'>,
): DoctorCheck =>
  defineDoctorCheck({
    id: 'feature-mail',
    title: 'Mail',
    async run({ signal }) {
      const { host, port, from, security } = settings
      if (host === undefined || from === undefined) return { findings: [] }
      // The library is loaded only if there is something to check.
      const { createMailer } = await import('./smtp/mailer.js')
      const mailer = createMailer(settings, {
        urls,
        times: { connectionTimeout: 8_000, greetingTimeout: 8_000, socketTimeout: 8_000, dnsTimeout: 8_000 },
      })
      const close = (): void => mailer.close()
      signal.addEventListener('abort', close, { once: true })
      try {
        signal.throwIfAborted()
        await mailer.verify()
        const protection = security === 'none' ? 'without protection' : 'protected by TLS'
        return { findings: [{ state: 'well', text: `${host}:${port} answers, ${protection}` }, ...(await unreachable(accounts))] }
      } catch (error) {
        signal.throwIfAborted()
        return { findings: [{ state: 'warning', text: `${host}:${port}: ${mailer.explain(error).reason}`.slice(0, 500) }] }
      } finally {
        signal.removeEventListener('abort', close)
        close()
      }
    },
  })

async function unreachable(accounts: Pick<Accounts, 'contact' | 'admins'> | undefined): Promise<readonly DoctorFinding[]> {
  const names = accounts ? await unreachableAdmins(accounts) : []
  if (names.length === 0) return []
  const text = `no alarm reaches these administrators, who have no confirmed e-mail address: ${names.join(', ')}`
  return [{ state: 'warning', text: text.slice(0, 500) }]
}
