import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Random } from '../../support/random.js'
import { longText, piecesOf } from './long-text.js'

/** A model that tells the story that the newest message asks for, a few characters at a time. */
export interface StoryModel {
  readonly url: string
  close(): Promise<void>
}

/** What a person writes to be told a story. */
export const askForStory = (name: string, length: number): string => `tell:${name}:${length}:`

/** The whole story. */
export const storyOf = (name: string, length: number): string => longText(name, length)

/** `pauseMs`: the longest pause between two pieces. */
export async function startStoryModel(random: Random, { pauseMs }: { readonly pauseMs: number }): Promise<StoryModel> {
  const tell = async (response: ServerResponse, body: string): Promise<void> => {
    const [, name = '', length = '0'] = [...body.matchAll(/tell:([\w-]+):(\d+):/g)].at(-1) ?? []
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const content of piecesOf(storyOf(name, Number(length)), random, 14)) {
      if (response.destroyed) return
      response.write(event({ delta: { content } }))
      await setTimeout(random.between(0, pauseMs))
    }
    response.end(`${event({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`)
  }
  const server = createServer((request, response) => {
    let body = ''
    response.on('error', () => undefined)
    request.on('error', () => undefined)
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk
    })
    request.on('end', () => void tell(response, body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

const event = (content: object): string => `data: ${JSON.stringify({ choices: [{ index: 0, ...content }] })}\n\n`
