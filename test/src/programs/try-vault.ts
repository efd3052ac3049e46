/**
 * Runs the connector `kv2` in the real kernel against a real HashiCorp Vault or OpenBao:
 * `VAULT_TEST_ADDR`, `VAULT_TEST_TOKEN`, and `VAULT_TEST_MOUNT` (`secret`). Makes, changes and reads
 * the secret `agent-service-try` followed by a number, and prints each step.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel } from '@agent-service/kernel/testing'
import { type VaultConnection, vaultConnectors } from '@agent-service/sdk/contracts/vault-connector'
import { writeTestPlugin } from '../agents/support/write-test-plugin.js'
import vaultsPlugin, { given } from '../credentials/support/vaults-plugin.js'

const { VAULT_TEST_ADDR: address, VAULT_TEST_TOKEN: token, VAULT_TEST_MOUNT: mount = 'secret' } = process.env
if (address === undefined || token === undefined) throw new Error('Set VAULT_TEST_ADDR and VAULT_TEST_TOKEN.')

const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-try-vault-'))
const module = new URL('../credentials/support/vaults-plugin.js', import.meta.url)
const kernel = await createTestKernel({ folder, plugins: [await writeTestPlugin(path.join(folder, 'plugin'), vaultsPlugin, module)] })
try {
  const lease = given?.contributions.acquire(vaultConnectors, 'kv2')
  if (lease === undefined) throw new Error('The connector is not there.')
  const { value: connector } = lease
  const connection: VaultConnection = { id: 'try', origin: 'system', members: { address, token, mount } }
  const call = { signal: AbortSignal.timeout(60_000) }
  console.log('test:', await connector.test(connection, call))
  const title = `agent-service-try ${Date.now()}`
  const made = await connector.write?.(connection, { title, fields: [{ name: 'a', value: '1', secret: true }] }, call)
  console.log('made:', made)
  const revision = made?.revision === undefined ? {} : { revision: made.revision }
  const changed = await connector.write?.(connection, { id: title, ...revision, fields: [{ name: 'a', value: '2', secret: true }] }, call)
  console.log('changed:', changed)
  const late = connector.write?.(connection, { id: title, ...revision, fields: [] }, call)
  const conflict = await late?.catch(({ code }: { readonly code: string }) => code)
  console.log('late write:', conflict)
  console.log('read:', await connector.read(connection, title, call))
  console.log('found:', await connector.list(connection, { limit: 10, text: title.toUpperCase() }, call))
  lease.release()
} finally {
  await kernel.stop()
  await rm(folder, { recursive: true, force: true })
}
