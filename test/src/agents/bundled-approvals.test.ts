import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { contributionsToken } from '@agent-service/kernel/testing/tokens'
import { type JsonObject, validate } from '@agent-service/sdk'
import { type Tool, tools } from '@agent-service/sdk/contracts/tool'
import { expect } from 'chai'
import { signUp } from '../support/api.js'

const exactly = 'Exactly this call'
const every = 'Every call of this tool, whatever its arguments'
const changing = 'Exactly this call; the files and programs that it uses may have changed by then'
const below = (...folders: readonly string[]) => folders.map((folder) => `Delete anything in the folder “${folder}”`)

/**
 * What a person can allow from now on of each bundled tool that asks by itself, by a call of it. A new one belongs here
 * once it was thought through: does each call of a kind do no more than its words say?
 */
const offers: Readonly<Record<string, readonly (readonly [JsonObject, readonly string[]])[]>> = {
  shell: [
    [{ command: 'grep -rn "a b" src', directory: 'code' }, [exactly, 'Run grep in the folder “code”, with any arguments']],
    [{ command: 'ls' }, [exactly, 'Run ls in the workspace, with any arguments']],
    [{ command: 'ls', background: true }, [changing]],
    [{ command: 'npm test' }, [changing]],
  ],
  python: [
    [{ code: 'print(1)' }, [changing]],
    [{ file: 'a.py' }, []],
  ],
  node: [
    [{ code: 'console.log(1)' }, [changing]],
    [{ file: 'a.mjs' }, []],
  ],
  install_packages: [
    [{ language: 'python', packages: ['numpy'] }, ['Exactly this call; what the packages contain may have changed by then']],
  ],
  write_process: [[{ id: 'a', text: 'yes\n' }, []]],
  delete_file: [
    [{ path: 'a/b/c' }, ['Exactly this call, whatever has this name by then', ...below('a/b', 'a'), 'Delete anything in the workspace']],
    [{ path: '../a' }, ['Exactly this call, whatever has this name by then']],
  ],
  browser_navigate: [
    [
      { url: ' HTTPS://Example.ORG:443/a?b' },
      [exactly, 'Open every address of https://example.org, and what it leads to, with the sign-ins of the browser'],
    ],
    [
      { url: 'http://bücher.example:8080/' },
      [exactly, 'Open every address of http://xn--bcher-kva.example:8080, and what it leads to, with the sign-ins of the browser'],
    ],
    [{ url: 'https://ada:secret@example.org/' }, [exactly]],
    [{ url: 'file:///etc/passwd' }, [exactly]],
    [{ url: 'example.org' }, [exactly]],
  ],
  browser_click: [[{ ref: 'e12', element: 'the button Pay' }, ['Make every click, on whatever page is open']]],
  browser_fill: [
    [{ ref: 'e12', text: 'yes' }, ['Enter and submit every text, on whatever page is open']],
    [{ ref: 'e12', credential: { name: 'shop', field: 'password', origin: 'https://example.org' } }, []],
  ],
  browser_select: [[{ ref: 'e12', values: ['all'] }, ['Choose every option of lists, on whatever page is open']]],
  browser_press: [[{ key: 'Enter' }, ['Press every key, on whatever page is open']]],
  browser_dialog: [[{ accept: true }, ['Answer every dialog, on whatever page is open']]],
  browser_upload: [[{ ref: 'e12', path: 'a.pdf' }, []]],
  browser_download: [
    [{ ref: 'e12' }, []],
    [{ url: 'https://example.org/a.pdf' }, ['Exactly this call, whatever the file contains by then']],
    [{ url: 'https://example.org/a.pdf', ref: 'e12' }, []],
  ],
  // These ask every time; this is what they offer where the owner of an agent says that they ask the first time.
  update_profile: [[{ name: 'Ada' }, [exactly]]],
  share_file: [[{ path: 'a.pdf' }, ['Exactly this call, whatever the file contains by then']]],
  share_chat: [[{}, []]],
  // It never asks by itself; where the owner of an agent says so, sites can be allowed.
  web_fetch: [
    [
      { url: 'https://Example.org/a#b' },
      [exactly, 'Read pages of https://example.org, and those that it leads to', 'Read every page of the web'],
    ],
    [{ url: 'https://ada:secret@example.org/' }, [exactly]],
    [{ url: 'file:///etc/passwd' }, [exactly]],
  ],
}

describe('the bundled tools that ask', () => {
  let kernel: TestKernel
  let asking: readonly string[]
  const found = new Map<string, Tool>()

  before(async () => {
    kernel = await createTestKernel({ environment: { SERVICE_BROWSER_WS_URL: 'ws://127.0.0.1:9' } })
    const ada = await signUp(kernel.url, 'ada')
    const { body } = await ada.request('GET', '/api/tools?limit=200')
    expect(body['next_cursor']).to.equal(null)
    const items = body['items'] as readonly { readonly name: string; readonly approval: string }[]
    asking = items.filter(({ approval }) => approval !== 'never').map(({ name }) => name)
    for (const { key, value } of kernel.container.resolve(contributionsToken).list(tools)) found.set(key, value)
  })
  after(() => kernel?.stop())

  it('are all thought through', () => {
    expect(asking.filter((name) => !Object.hasOwn(offers, name))).to.deep.equal([])
    expect(Object.keys(offers).filter((name) => !found.has(name))).to.deep.equal([])
  })

  for (const [name, calls] of Object.entries(offers))
    it(`offer this of ${name}`, () => {
      const tool = found.get(name) ?? expect.fail(`There is no tool ${name}.`)
      for (const [input, labels] of calls) {
        expect(validate(tool.parameters, input), JSON.stringify(input)).to.deep.equal([])
        const same = tool.exactly === undefined ? exactly : tool.exactly(input)
        const kinds = tool.scopes === undefined ? [every] : tool.scopes(input).map(({ label }) => label)
        expect([...(same === false ? [] : [same]), ...kinds], JSON.stringify(input)).to.deep.equal(labels)
      }
    })
})
