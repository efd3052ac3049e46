/**
 * Puts what every start loads into two files of the bundle, whatever plugins share it: `program`,
 * all that a command loads at once, and `service`. Of its own, the bundler makes a file for each set
 * of plugins that share modules: 180 more to find, read and link in a start, which is about 7 %
 * of its processor time. What only one plugin needs, and what is loaded when it is first used,
 * stays apart.
 */
export function createStartChunks({ program, service, plugins }) {
  const chunkOf = new Map()
  return {
    /** A plugin of the bundler: notes the modules once all are known. */
    notice: {
      name: 'start-chunks',
      buildEnd() {
        const needsOf = (file) => staticallyImported(file, (id) => this.getModuleInfo(id))
        for (const id of neededTwice(plugins.map(needsOf))) chunkOf.set(id, 'service')
        for (const id of needsOf(service)) chunkOf.set(id, 'service')
        for (const id of needsOf(program)) chunkOf.set(id, 'program')
        chunkOf.delete(program)
      },
    },
    has: (id) => chunkOf.has(id),
    groups: ['program', 'service'].map((name) => ({ name, test: (id) => chunkOf.get(id) === name })),
  }
}

/** A module and all that is loaded with it. */
function staticallyImported(file, infoOf) {
  const found = new Set([file])
  for (const id of found) for (const imported of infoOf(id)?.importedIds ?? []) if (!infoOf(imported)?.isExternal) found.add(imported)
  return found
}

function neededTwice(sets) {
  const seen = new Set()
  const again = new Set()
  for (const id of sets.flatMap((set) => [...set])) (seen.has(id) ? again : seen).add(id)
  return again
}
