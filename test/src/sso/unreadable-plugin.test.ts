import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'

const plugins = fileURLToPath(new URL('../../../plugins', import.meta.url))

describe('single sign-on as the only way in, its plugin gone', () => {
  it('opens no other way in', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-sso-'))
    for (const id of ['database-sqlite', 'policy-cedar']) await symlink(path.join(plugins, id), path.join(folder, id))
    const kernel = await createTestKernel({
      builtInFolder: folder,
      environment: { SERVICE_SSO_ENABLED: 'true', SERVICE_SSO_DISABLE_LOCAL_AUTH: 'true' },
    })
    try {
      const answer = await fetch(`${kernel.url}/api/auth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'eve', password: 'a long enough phrase' }),
      })
      expect([answer.status, ((await answer.json()) as { readonly code: string }).code]).to.deep.equal([403, 'local_auth_disabled'])
      expect(await (await fetch(`${kernel.url}/api/auth/config`)).json()).to.deep.include({ local_auth: false, sso: { enabled: false } })
      expect(kernel.log.map(({ msg }) => String(msg)).join('\n')).to.include('No one can sign in')
    } finally {
      await kernel.stop()
      await rm(folder, { recursive: true })
    }
  })
})
