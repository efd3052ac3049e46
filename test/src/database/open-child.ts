/**
 * Opens a database without the rights of root and says how that went. Imports of the drivers happen
 * before the rights are given up.
 */
import { drivers, openStore } from './open-store.js'

const [name = '', path = ''] = process.argv.slice(2)
const driver = drivers.find((candidate) => candidate.name === name)
if (!driver) throw new Error(`There is no driver ${name}.`)
if (process.getuid?.() === 0) {
  process.setgroups?.([])
  process.setgid?.(65_534)
  process.setuid?.(65_534)
}
try {
  const database = await openStore(driver.create(), path)
  await database.close()
  process.send?.('opened')
} catch (error) {
  process.send?.(`${(error as { readonly code?: string }).code}: ${error instanceof Error ? error.message : String(error)}`)
}
process.disconnect?.()
