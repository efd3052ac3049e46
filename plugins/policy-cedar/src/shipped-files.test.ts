import { readdir, readFile } from 'node:fs/promises'
import type { PolicyFile } from '@agent-service/sdk/contracts/policy-engine'

const folder = new URL('../../../resources/policy/', import.meta.url)

/** The schema and the policies that ship with the service. */
export async function shippedFiles(): Promise<readonly PolicyFile[]> {
  const names = (await readdir(folder)).sort()
  return Promise.all(names.map(async (name) => ({ name, text: await readFile(new URL(name, folder), 'utf8') })))
}
