/** Links at the root of every Mac, and where they lead. The kernel judges what they lead to. */
const rootLinks: Readonly<Record<string, string>> = { '/etc': '/private/etc', '/tmp': '/private/tmp', '/var': '/private/var' }

/** The links themselves: to follow one, a program looks at it. */
export const linksAtRoot: readonly string[] = Object.keys(rootLinks)

/** A path as the kernel judges it: `/tmp/a` is `/private/tmp/a`. */
export function kernelPath(path: string): string {
  const link = linksAtRoot.find((each) => isBelow(path, each))
  return link === undefined ? path : `${rootLinks[link]}${path.slice(link.length)}`
}

/** Whether a path is the folder or lies in it. */
export const isBelow = (inner: string, folder: string): boolean => inner === folder || inner.startsWith(folder === '/' ? '/' : `${folder}/`)

/** The folders above a path, the root left out, the highest first. */
export function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/').slice(1, -1)
  return parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`)
}
