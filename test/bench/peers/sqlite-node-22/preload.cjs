// Lets Node 22 load this folder's better-sqlite3, which an installation of the workspace under Node 20 leaves out. Threads inherit it.
const { registerHooks } = require('node:module')

const name = 'better-sqlite3-node-api'
const own = require.resolve(name)
registerHooks({ resolve: (specifier, context, next) => next(specifier === name ? own : specifier, context) })
