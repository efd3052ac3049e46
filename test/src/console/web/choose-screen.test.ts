import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { expect } from 'chai'
import { rolldown } from 'rolldown'

interface Screen {
  readonly name: string
  readonly routes: readonly string[]
}

interface Found {
  readonly screen: Screen
  readonly params: Readonly<Record<string, string>>
}

type Choose = (path: string, own: readonly Screen[], added: readonly Screen[]) => Found | undefined

const screen = (name: string, ...routes: readonly string[]): Screen => ({ name, routes })

const source = (file: string): string => fileURLToPath(new URL(`../../../../${file}`, import.meta.url))

/** The function of the console, with nothing of the kit but the router, since it needs no page. */
async function readChoice(): Promise<Choose> {
  const bundle = await rolldown({
    input: source('plugins/feature-console/web/app/choose-screen.ts'),
    platform: 'browser',
    resolve: {
      alias: { '@agent-service/sdk/web/host': source('sdk/web/app/router.ts') },
      extensionAlias: { '.js': ['.ts', '.tsx', '.js'] },
    },
    logLevel: 'silent',
  })
  const { output } = await bundle.generate({ format: 'iife', name: 'web', exports: 'named' })
  await bundle.close()
  const page = createContext({ document: { querySelector: () => null }, location: new URL('http://console.localhost/'), URL })
  return runInContext(`${output[0].code}\nweb.chooseScreen`, page) as Choose
}

describe('the screen of a path', () => {
  let choose: Choose
  before(async () => {
    choose = await readChoice()
  })

  const own = [
    screen('panels', '/panels/:panelId', '/admin/panels/:panelId'),
    screen('profile', '/profile'),
    screen('users', '/admin/users'),
  ]
  const chat = screen('chat', '/chats/:chatId')
  const chats = screen('chats', '/chats')
  const found = (path: string, added: readonly Screen[]): readonly [name: string, params: Found['params']] | undefined => {
    const result = choose(path, own, added)
    return result && [result.screen.name, { ...result.params }]
  }

  it('has an exact pattern, else one with parameters, else one with a rest, in whatever order the screens are', () => {
    const files = screen('files', '/files', '/files/*')
    const newest = screen('newest', '/chats/newest', '/files/:name')
    const added = [files, chat, chats, newest]
    for (const order of [added, [...added].reverse()]) {
      expect(found('/chats', order)).to.deep.equal(['chats', {}])
      expect(found('/chats/1', order)).to.deep.equal(['chat', { chatId: '1' }])
      expect(found('/chats/newest', order)).to.deep.equal(['newest', {}])
      expect(found('/files', order)).to.deep.equal(['files', {}])
      expect(found('/files/a', order)).to.deep.equal(['newest', { name: 'a' }])
      expect(found('/files/a/b', order)).to.deep.equal(['files', { rest: 'a/b' }])
      expect(found('/chats/1/more', order)).to.equal(undefined)
    }
  })

  it('is the console’s own where a plugin claims its path, and of two plugins the first', () => {
    const taker = screen('taker', '/profile', '/profile/*', '/admin/*', '/panels/:name')
    expect(found('/profile', [taker])).to.deep.equal(['profile', {}])
    expect(found('/admin/users', [taker])).to.deep.equal(['users', {}])
    expect(found('/panels/dice', [taker])).to.deep.equal(['panels', { panelId: 'dice' }])
    expect(found('/chats', [chats, screen('other', '/chats')])).to.deep.equal(['chats', {}])
  })

  it('is that of a plugin at its own place below those of all panels', () => {
    const dice = screen('dice', '/panels/dice', '/panels/dice/*')
    expect(found('/panels/dice', [dice])).to.deep.equal(['dice', {}])
    expect(found('/panels/dice/rules', [dice])).to.deep.equal(['dice', { rest: 'rules' }])
    expect(found('/panels/cards', [dice])).to.deep.equal(['panels', { panelId: 'cards' }])
  })
})
