import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { eventually } from '@agent-service/sdk/testing'
import { type Api, signUp } from '../../support/api.js'
import { startVendor, type Vendor } from './vendor.js'

const resources = fileURLToPath(new URL('../../../../resources/', import.meta.url))

/**
 * A service whose catalogue says that two brands are at a vendor of this machine; it can be started
 * again with other connections.
 */
export interface CredentialsKernel {
  readonly kernel: TestKernel
  readonly vendor: Vendor
  readonly folder: string
  admin(): Promise<Api>
  /** Stops it and starts it with these connections and groups. */
  restart(configuration: { readonly providers: object; readonly models: object }): Promise<void>
  /** One inference through a group, as a client of the OpenAI protocols makes it. */
  ask(group: string): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }>
  close(): Promise<void>
}

export async function startCredentialsKernel(
  options: { readonly configuration?: (vendor: Vendor) => { readonly providers: object; readonly models: object } } = {},
): Promise<CredentialsKernel> {
  const vendor = await startVendor()
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-credentials-'))
  const shared = path.join(folder, 'resources')
  await cp(resources, shared, { recursive: true })
  await placeBrands(path.join(shared, 'catalogue', 'brands.json'), vendor.url)
  const configure = async (configuration: object): Promise<void> => {
    await mkdir(path.join(folder, 'data'), { recursive: true })
    await writeFile(path.join(folder, 'data', 'config.yaml'), JSON.stringify(configuration))
  }
  const start = () => createTestKernel({ folder, environment: { SERVICE_STORAGE_SHARED_CONFIG_DIR: shared } })
  await configure(options.configuration?.(vendor) ?? { providers: {}, models: {} })
  let kernel = await start()
  let signedIn: Promise<Api> | undefined
  const admin = (): Promise<Api> => {
    signedIn ??= signUp(kernel.url, 'root')
    return signedIn
  }

  return {
    get kernel() {
      return kernel
    },
    ...{ vendor, folder, admin },
    async restart(configuration) {
      await kernel.stop()
      await configure(configuration)
      kernel = await start()
      signedIn = undefined
    },
    ask: async (group) =>
      (await admin()).request('POST', '/v1/chat/completions', { model: group, messages: [{ role: 'user', content: 'Hi' }] }),
    async close() {
      try {
        await kernel.stop()
      } finally {
        await vendor.close()
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

/** Moves the two brands that have a sign-in to the vendor. */
async function placeBrands(file: string, url: string): Promise<void> {
  const catalogue = JSON.parse(await readFile(file, 'utf8')) as { readonly brands: Record<string, unknown>[] }
  const at = { token_url: `${url}/token`, client_id: 'client-1' }
  for (const brand of catalogue.brands) {
    const signIn = brand['sign_in'] as Readonly<Record<string, unknown>> | undefined
    if (signIn?.['kind'] === 'device') brand['sign_in'] = { ...signIn, ...at, device_url: `${url}/device` }
    if (signIn?.['kind'] === 'browser') {
      const { redirect_url: _elsewhere, ...rest } = signIn
      brand['sign_in'] = { ...rest, ...at, authorization_url: `${url}/authorize` }
    }
    if (signIn || brand['id'] === 'groq') brand['base_url'] = `${url}/v1`
  }
  await writeFile(file, JSON.stringify(catalogue))
}

/** Resolves with the first answer of `look` that fits. */
export async function until<Value>(look: () => Promise<Value>, fits: (value: Value) => boolean): Promise<Value> {
  const found = await eventually(
    async () => {
      const value = await look()
      return fits(value) ? { value } : undefined
    },
    { what: look },
  )
  return found.value
}
