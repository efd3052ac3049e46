// Lets Node 22 load this folder's build of better-sqlite3 where the workspace's is one for another Node. Threads inherit it.
const path = require('node:path')

const name = 'better_sqlite3.node'
const own = path.join(__dirname, 'node_modules', 'better-sqlite3', 'build', 'Release', name)
const { dlopen } = process
process.dlopen = (module, file, ...flags) => dlopen.call(process, module, path.basename(file) === name ? own : file, ...flags)
