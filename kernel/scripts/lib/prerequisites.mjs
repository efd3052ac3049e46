import { accessSync, constants } from 'node:fs'
import path from 'node:path'

const neededNode = [20, 19, 0]

/** The problem with this Node version, or undefined. */
export function nodeProblem(version = process.versions.node) {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10))
  for (const [index, needed] of neededNode.entries()) {
    if ((parts[index] ?? 0) > needed) return undefined
    if ((parts[index] ?? 0) < needed) return `Node ${neededNode.join('.')} or newer is required; this is Node ${version}`
  }
  return undefined
}

/** The path of a command in PATH, or undefined. */
export function findCommand(name, searchPath = process.env.PATH ?? '') {
  for (const folder of searchPath.split(path.delimiter)) {
    if (folder === '') continue
    try {
      accessSync(path.join(folder, name), constants.X_OK)
      return path.join(folder, name)
    } catch {
      // not in this folder, or not executable: the next one
    }
  }
  return undefined
}

/** The tools for native builds that are not installed. */
export function missingBuildTools(searchPath) {
  const tools = [
    { name: 'a C++ compiler (c++)', commands: ['c++', 'g++', 'clang++'] },
    { name: 'make', commands: ['make', 'gmake'] },
    { name: 'Python 3 (python3)', commands: ['python3', 'python'] },
  ]
  return tools.filter((tool) => tool.commands.every((command) => findCommand(command, searchPath) === undefined)).map((tool) => tool.name)
}
