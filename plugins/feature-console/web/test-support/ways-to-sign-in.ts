import { openSession } from '@agent-service/sdk/web/host'
import { fakeApi } from '@agent-service/sdk/web/testing'

/** Has people sign in by password. Before `render`, which signs a person in. */
export async function signInByPassword(): Promise<void> {
  fakeApi({
    'get /api/auth/config': () => ({
      allow_registration: false,
      demo: false,
      local_auth: true,
      needs_account: false,
      needs_setup: false,
      registration: 'closed',
      signed_in: false,
      sso: { enabled: false },
    }),
  })
  await openSession()
}
