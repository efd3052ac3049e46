import { placed } from '@agent-service/sdk/web'

/** The files of a part of a screen, as addresses of the service. */
export interface ModuleFiles {
  readonly module: string
  readonly styles: readonly string[]
  /** What the module imports: asked for together with it. */
  readonly imports: readonly string[]
}

/** Loads a module that a plugin brought, with its styles. To be called through `loadPart`, which tries again. */
export async function loadModule<Module>({ module, styles, imports }: ModuleFiles): Promise<Module> {
  for (const each of imports) preloadModule(placed(each))
  const [loaded] = await Promise.all([import(/* @vite-ignore */ placed(module)) as Promise<Module>, ...styles.map(loadStyle)])
  return loaded
}

const findLink = (rel: string, address: string): HTMLLinkElement | undefined =>
  [...document.querySelectorAll<HTMLLinkElement>(`link[rel="${rel}"]`)].find(({ href }) => href === new URL(address, location.href).href)

function preloadModule(address: string): void {
  if (findLink('modulepreload', address)) return
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  link.href = address
  document.head.append(link)
}

const loadedStyles = new Map<string, Promise<void>>()

/** Each style once. The words of the failure are those by which `loadPart` knows that a file did not arrive. */
function loadStyle(path: string): Promise<void> {
  const address = placed(path)
  const known = loadedStyles.get(address)
  if (known) return known
  const loading = new Promise<void>((resolve, reject) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = address
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => reject(new Error(`Unable to preload CSS for ${address}`)))
    document.head.append(link)
  })
  loadedStyles.set(address, loading)
  return loading
}
