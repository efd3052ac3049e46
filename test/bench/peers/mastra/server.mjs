// Mastra's own server, as `mastra build` starts it, with one agent, one tool, and memory in a LibSQL file. Prints its address.
import { createServer } from 'node:net'
import { Agent } from '@mastra/core/agent'
import { Mastra } from '@mastra/core/mastra'
import { createTool } from '@mastra/core/tools'
import { createNodeServer } from '@mastra/deployer/server'
import { LibSQLStore } from '@mastra/libsql'
import { Memory } from '@mastra/memory'
import { z } from 'zod'

const { UPSTREAM_URL: upstream, STORE_FILE: file } = process.env

const getTime = createTool({
  id: 'get_time',
  description: 'Gives the time.',
  inputSchema: z.object({}),
  execute: async () => ({ time: new Date().toISOString() }),
})

const freePort = await new Promise((resolve) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const { port } = probe.address()
    probe.close(() => resolve(port))
  })
})

const mastra = new Mastra({
  agents: {
    bench: new Agent({
      id: 'bench',
      name: 'Bench',
      instructions: 'You are a helpful assistant.',
      model: { id: 'bench/model-1', url: upstream, apiKey: 'key' },
      tools: { get_time: getTime },
      memory: new Memory(),
    }),
  },
  storage: new LibSQLStore({ id: 'bench', url: `file:${file}` }),
  logger: false,
  server: { port: freePort, host: '127.0.0.1' },
})
const server = await createNodeServer(mastra, { tools: {} })
if (!server.listening) await new Promise((resolve) => server.once('listening', resolve))
process.stdout.write(`http://127.0.0.1:${freePort}\n`)
