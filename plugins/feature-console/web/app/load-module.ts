import { placed } from '@agent-service/sdk/web'
import { hasFailed, hasRules } from '@agent-service/sdk/web/host'

/** The files of a part of a screen, as addresses of the service. */
export interface ModuleFiles {
  readonly module: string
  readonly styles: readonly string[]
  /** What the module imports: asked for together with it. */
  readonly imports: readonly string[]
  /** The parts of the kit that it imports, beside the first. */
  readonly kit: readonly string[]
}

/** Loads a module that a plugin brought, with its styles. To be called through `loadPart`, which tries again. */
export async function loadModule<Module>(files: ModuleFiles): Promise<Module> {
  const { module, styles, kit } = files
  preload(files)
  const loading = import(/* @vite-ignore */ placed(module)) as Promise<Module>
  const [loaded] = await Promise.all([loading, ...styles.map(loadStyle), ...kit.map(loadKitStyles)])
  return loaded
}

/** Parts of the kit have styles too, which the module does not wait for. That a script of it is missing, the module itself says. */
const loadKitStyles = async (part: string): Promise<void> => {
  await loadKitPart(part)?.catch((error: unknown) => {
    if (error instanceof Error && /unable to preload css/i.test(error.message)) throw error
  })
}

/** Asks for all files at once that the module waits for, and for the module. What does not come is reported where it is used. */
export function preload({ module, styles, imports, kit }: ModuleFiles): void {
  for (const each of [module, ...imports]) addLink('modulepreload', placed(each))
  for (const each of styles) addLink('preload', placed(each))
  for (const part of kit) void loadKitPart(part)?.catch(() => undefined)
}

/** Names come from what a plugin was built with: another version may have had more of them. */
const loadKitPart = (part: string): Promise<unknown> | undefined => (Object.hasOwn(kitParts, part) ? kitParts[part]?.() : undefined)

/** The parts of the kit that are files of their own. Plugins import them by addresses that stay, and those lead to these. */
const kitParts: Readonly<Record<string, () => Promise<unknown>>> = {
  configuration: () => import('@agent-service/sdk/web/configuration'),
  forms: () => import('@agent-service/sdk/web/forms'),
  markdown: () => import('@agent-service/sdk/web/markdown'),
  preview: () => import('@agent-service/sdk/web/preview'),
  uploads: () => import('@agent-service/sdk/web/uploads'),
  words: () => import('@agent-service/sdk/web/words'),
}

const findLink = (rel: string, address: string): HTMLLinkElement | undefined =>
  [...document.querySelectorAll<HTMLLinkElement>(`link[rel="${rel}"]`)].find(({ href }) => href === new URL(address, location.href).href)

function addLink(rel: 'modulepreload' | 'preload', address: string): void {
  if (findLink(rel, address)) return
  const link = document.createElement('link')
  link.rel = rel
  if (rel === 'preload') link.as = 'style'
  link.href = address
  document.head.append(link)
}

/** Those that are loading or have loaded. */
const requestedStyles = new Map<string, Promise<void>>()

/** Each style once, and again after it has failed. */
function loadStyle(path: string): Promise<void> {
  const address = placed(path)
  const known = requestedStyles.get(address)
  if (known) return known
  const loading = addStyle(address)
  requestedStyles.set(address, loading)
  loading.catch(() => requestedStyles.delete(address))
  return loading
}

/** A link that has failed stays, so that `loadPart` finds it and puts another one in its place; that one is waited for. */
async function addStyle(address: string): Promise<void> {
  const before = findLink('stylesheet', address)
  if (before && hasRules(before)) return
  if (before && !hasFailed(before)) return arrived(before)
  before?.remove()
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = address
  const arriving = arrived(link)
  document.head.append(link)
  await arriving
}

/** The words of the failure are those by which `loadPart` knows that a file did not arrive. */
const arrived = (link: HTMLLinkElement): Promise<void> =>
  new Promise((resolve, reject) => {
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => reject(new Error(`Unable to preload CSS for ${link.href}`)))
  })
