import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { closeBrowser, openPage } from '../open-page.js'
import { bundleWebModules, openWebModules } from '../support/web-modules.js'

/** What each test has: a request that is answered by hand. */
const bench = `
  const settled = () => new Promise((resolve) => setTimeout(resolve))
  let end
  const send = (...given) => { sent.push(given); return new Promise((resolve, reject) => { end = { resolve, reject } }) }
  const sent = []
  const problem = (code, errors = []) => new web.ApiProblem({ status: 422, code, detail: code + ' said', errors })
  const begin = (make) => web.createRoot(make)
`

describe('forms and actions of the console', function () {
  this.timeout(60_000)
  let page: Page
  let code: string
  before(async () => {
    page = (await openPage({ url: 'http://console.localhost' })).page
    code = await bundleWebModules([
      'sdk/web/forms/create-form.ts',
      'sdk/web/forms/create-action.ts',
      'sdk/web/forms/focus-problem.ts',
      'sdk/web/api/problem.ts',
      'sdk/web/core/solid.ts',
    ])
  })
  beforeEach(() => openWebModules(page, code))
  after(() => closeBrowser())

  const run = (body: string): Promise<unknown> => page.evaluate(`(async () => { ${bench} ${body} })()`)

  it('does one thing at a time, and says with what', async () => {
    const found = await run(`
      const action = begin(() => web.createAction(send))
      const first = action.run('a', 1)
      const during = [action.busy(), action.given(), await action.run('b', 2)]
      end.resolve()
      return [during, await first, action.busy(), action.given(), action.failure(), sent]
    `)
    expect(found).to.deep.equal([[true, ['a', 1], false], true, false, undefined, undefined, [['a', 1]]])
  })

  it('does several things at a time where they do not concern each other', async () => {
    const found = await run(`
      const action = begin(() => web.createAction(send, { concurrent: true }))
      const first = action.run('a')
      const ofFirst = end
      const second = action.run('b')
      const during = [action.busy(), action.given()]
      end.reject(new Error('not b'))
      const then = [await second, action.busy(), action.given(), action.failure().message]
      ofFirst.resolve()
      return [during, then, await first, action.busy(), action.failure().message, sent]
    `)
    expect(found).to.deep.equal([[true, ['b']], [false, true, ['a'], 'not b'], true, false, 'not b', [['a'], ['b']]])
  })

  it('keeps why an action failed until it is tried again', async () => {
    const found = await run(`
      const action = begin(() => web.createAction(send))
      const first = action.run()
      end.reject(new Error('not now'))
      const failed = [await first, action.failure().message, action.busy()]
      const second = action.run()
      const during = action.failure()
      end.reject(undefined)
      await second
      const nameless = action.failure() instanceof Error
      action.clear()
      return [failed, during, nameless, action.failure()]
    `)
    expect(found).to.deep.equal([[false, 'not now', false], undefined, true, undefined])
  })

  it('sends what was typed, once', async () => {
    const found = await run(`
      const form = begin(() => web.createForm({ initial: { name: '', sides: 6 }, submit: send }))
      const name = form.field('name')
      name.onInput('first')
      const before = [name.value, form.isDirty()]
      const sending = form.submit()
      const during = [form.busy(), await form.submit()]
      name.onInput('second')
      end.resolve()
      return [before, during, await sending, sent, form.values(), form.isDirty()]
    `)
    expect(found).to.deep.equal([['first', true], [true, false], true, [[{ name: 'first', sides: 6 }]], { name: 'second', sides: 6 }, true])
  })

  it('is as at the beginning once all is typed as it was, and after it was sent', async () => {
    const found = await run(`
      const form = begin(() => web.createForm({ initial: { name: 'a', tags: ['x'] }, submit: async () => undefined }))
      form.set('tags', ['x', 'y'])
      const changed = form.isDirty()
      form.fill({ name: 'b', tags: ['x'] })
      const filled = form.values()
      form.fill({ name: 'a' })
      const back = form.isDirty()
      form.set('name', 'b')
      await form.submit()
      const afterwards = form.isDirty()
      form.set('name', 'c')
      form.reset()
      const first = form.values()
      form.reset({ name: 'd', tags: [] })
      return [changed, filled, back, afterwards, first, form.values(), form.isDirty()]
    `)
    expect(found).to.deep.equal([
      true,
      { name: 'b', tags: ['x'] },
      false,
      false,
      { name: 'b', tags: ['x'] },
      { name: 'd', tags: [] },
      false,
    ])
  })

  it('has sent nothing when the person gave up', async () => {
    const found = await run(`
      const form = begin(() => web.createForm({ initial: { name: 'a' }, submit: send }))
      form.set('name', 'b')
      const sending = form.submit()
      end.resolve(false)
      return [await sending, form.failure(), form.busy(), form.isDirty()]
    `)
    expect(found).to.deep.equal([false, undefined, false, true])
  })

  it('stays as its sending has begun it anew, such as with what the service made of it', async () => {
    const found = await run(`
      const form = begin(() => web.createForm({
        initial: { name: '', tags: [] }, submit: async ({ name }) => form.reset({ name: name.trim(), tags: ['x'] }),
      }))
      form.fill({ name: ' a ' })
      await form.submit()
      const afterwards = [form.values(), form.isDirty()]
      form.fill({ name: 'b', tags: [] })
      return [afterwards, form.values(), form.isDirty()]
    `)
    expect(found).to.deep.equal([[{ name: 'a', tags: ['x'] }, false], { name: 'b', tags: [] }, true])
  })

  it('sends nothing that its check finds wrong', async () => {
    const found = await run(`
      const form = begin(() => web.createForm({
        initial: { name: '' }, check: ({ name }) => (name === '' ? { '/name': 'Give a name.' } : {}), submit: send,
      }))
      const name = form.field('name')
      const first = [await form.submit(), name.error, form.failure(), sent.length]
      name.onInput('a')
      const sending = form.submit()
      end.resolve()
      return [first, await sending, name.error]
    `)
    expect(found).to.deep.equal([[false, 'Give a name.', undefined, 0], true, undefined])
  })

  it('shows a problem at its field, and one of no field as the failure of the whole', async () => {
    const found = await run(`
      const form = begin(() => web.createForm({ initial: { name: '', port: 1 }, codes: { name_taken: '/name' }, submit: send }))
      const name = form.field('name')
      const port = form.field('port', '/connection/port')
      const refused = async (error) => {
        const sending = form.submit()
        end.reject(error)
        await sending
        return [name.error, port.error, form.failure()?.code, form.error()?.code]
      }
      void name.error
      void port.error
      return [
        await refused(problem('invalid', [{ path: '/name', message: 'too long' }, { path: '/connection/port', message: 'taken' }])),
        await refused(problem('invalid', [{ path: '/name', message: 'too long' }, { path: '/hidden', message: 'wrong' }])),
        await refused(problem('name_taken')),
        await refused(problem('forbidden')),
        await refused(problem('constructor')),
      ]
    `)
    expect(found).to.deep.equal([
      ['too long', 'taken', undefined, 'invalid'],
      ['too long', undefined, 'invalid', 'invalid'],
      ['name_taken said', undefined, undefined, 'name_taken'],
      [undefined, undefined, 'forbidden', 'forbidden'],
      [undefined, undefined, 'constructor', 'constructor'],
    ])
  })

  it('leads to the first field with a problem, also inside a fold', async () => {
    const found = await run(`
      const form = document.body.appendChild(document.createElement('form'))
      const add = (parent, name, wrong) => {
        const made = parent.appendChild(document.createElement(name))
        if (wrong !== undefined) made.setAttribute('aria-invalid', String(wrong))
        return made
      }
      add(form, 'input', false)
      const without = [await web.focusProblem(form), document.activeElement === document.body]
      const outer = add(form, 'details')
      const inner = add(outer, 'details')
      const field = add(inner, 'input', true)
      const other = add(form, 'details')
      add(other, 'input', true)
      return [without, await web.focusProblem(form), document.activeElement === field, outer.open, inner.open, other.open]
    `)
    expect(found).to.deep.equal([[false, true], true, true, true, true, false])
  })

  it('shows a problem of a part of a value at the nearest field around it', async () => {
    const found = await run(`
      const form = begin(() => web.createForm({ initial: { schedule: '', zone: '' }, submit: send }))
      const fields = [form.field('schedule'), form.field('zone', '/schedule/zone')]
      const refused = async (...paths) => {
        const sending = form.submit()
        end.reject(problem('invalid', paths.map((path) => ({ path, message: path }))))
        await sending
        return [...fields.map(({ error }) => error), form.failure()?.code]
      }
      fields.map(({ error }) => error)
      return [await refused('/schedule/cron', '/schedule/zone/0'), await refused('/schedule'), await refused('/schedules/0', '')]
    `)
    expect(found).to.deep.equal([
      ['/schedule/cron', '/schedule/zone/0', undefined],
      ['/schedule', undefined, undefined],
      [undefined, undefined, 'invalid'],
    ])
  })
})
