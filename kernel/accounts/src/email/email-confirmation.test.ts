import { noActor } from '@agent-service/kernel-core/audit'
import { endTestStores, turnOfTheLoop } from '@agent-service/kernel-core/events/testing'
import type { EmailChange } from '@agent-service/sdk/services/email-confirmation'
import type { ExternalIdentity } from '@agent-service/sdk/services/external-sign-in'
import { expect } from 'chai'
import { emailConfirmations, emailLimits } from '../records/email-records.js'
import { authSettings, externalIdentities, users } from '../records/records.js'
import { type AuthUnderTest, codeOf, openAuthUnderTest, type SignedInBody } from '../testing/auth-under-test.js'

const [minuteMs, hourMs] = [60_000, 3_600_000]
const by = { address: '192.0.2.7' }
const email = 'ada@example.org'

describe('confirming the e-mail address of an account', () => {
  let auth: AuthUnderTest
  let ada: SignedInBody

  const request = (userId = ada.user.id) => auth.emailConfirmation.request(userId, by)
  const confirm = (code: string, userId = ada.user.id) => auth.emailConfirmation.confirm(userId, code, by)
  const issued = async (userId = ada.user.id, to = email): Promise<string> => {
    await request(userId)
    const code = await auth.emailConfirmation.issue(userId, to)
    if (code === undefined) throw new Error('No code was made.')
    return code
  }
  const change = async (to: string | null, userId = ada.user.id) => auth.changes.changeProfile(userId, { email: to }, by.address)
  const isConfirmed = async (userId = ada.user.id): Promise<boolean> => (await auth.accounts.get(userId))?.email_verified_at != null
  const kinds = async (): Promise<readonly string[]> => {
    const { json } = await auth.call('listAuditEvents', { query: { limit: 200 } })
    return (json as { readonly items: readonly { readonly kind: string }[] }).items.map(({ kind }) => kind)
  }
  const signIn = (identity: ExternalIdentity) => {
    if (!auth.externalSignIn) throw new Error('Single sign-on is off.')
    const origin = { ...by, userAgent: 'browser', loopback: false }
    return auth.externalSignIn.signIn(identity, { origin, matchEmail: true, acceptUnverifiedEmail: true })
  }

  beforeEach(async () => {
    auth = await openAuthUnderTest({ signInPolicy: { singleSignOn: true, localSignIn: true } })
    ada = await auth.register('ada', { email })
  })
  afterEach(endTestStores)

  it('is needed for every address that was typed, and done by the code that was sent to it', async () => {
    expect(await isConfirmed()).to.equal(false)
    expect(await auth.directory.contact(ada.user.id)).to.deep.equal({ email: null, hasUnconfirmedEmail: true, name: null })
    const code = await issued()
    expect(code).to.match(/^[BCDFGHJKLMNPQRSTVWXZ2-9]{4}-[BCDFGHJKLMNPQRSTVWXZ2-9]{4}$/)
    await confirm(` ${code.toLowerCase().replace('-', '')}`)
    expect(await auth.directory.contact(ada.user.id)).to.deep.equal({ email, hasUnconfirmedEmail: false, name: null })
    expect(await kinds()).to.include.members(['email.confirmation_sent', 'email.confirmed'])
  })

  it('keeps no code, and gives no proof in the export', async () => {
    const code = await issued()
    const [stored] = await auth.store.stored(emailConfirmations)
    expect(JSON.stringify(stored)).to.not.include(code).and.not.to.include(code.replace('-', ''))
    const records = []
    for (const part of auth.userData)
      for await (const record of part.export(ada.user.id, { signal: new AbortController().signal })) records.push(record)
    const exported = records.find(({ path }) => path.startsWith('email-confirmations/'))
    expect(exported?.json).to.include({ email, attempts: 0 }).and.not.to.have.property('digest')
  })

  it('is refused with the code of another account', async () => {
    const eve = await auth.register('eve', { email: 'eve@example.org' })
    await issued()
    const code = await issued(eve.user.id, 'eve@example.org')
    expect(await codeOf(confirm(code))).to.equal('email_code_invalid')
    expect(await isConfirmed()).to.equal(false)
  })

  it('is refused for another address than the code was sent to, also when that one comes back', async () => {
    const code = await issued()
    await change('other@example.org')
    expect(await codeOf(confirm(code))).to.equal('email_code_invalid')
    await change(email)
    expect(await codeOf(confirm(code))).to.equal('email_code_invalid')
    expect(await isConfirmed()).to.equal(false)
  })

  it('makes no code for an address that the account has no more', async () => {
    await request()
    await change('other@example.org')
    expect(await auth.emailConfirmation.issue(ada.user.id, email)).to.equal(undefined)
    expect(await auth.emailConfirmation.issue('nobody', email)).to.equal(undefined)
  })

  it('is refused after five wrong codes, also at once', async () => {
    const code = await issued()
    auth.store.pause = turnOfTheLoop
    const wrong = await Promise.all(['A', 'B', 'C', 'D', 'E'].map((guess) => codeOf(confirm(guess))))
    expect(new Set(wrong)).to.deep.equal(new Set(['email_code_invalid']))
    expect(await codeOf(confirm(code))).to.equal('email_code_invalid')
    expect(await isConfirmed()).to.equal(false)
    expect((await kinds()).filter((kind) => kind === 'email.confirmation_refused')).to.have.length(6)
  })

  it('counts wrong codes on when its e-mail is sent again, and makes no code after five', async () => {
    await issued()
    for (const guess of ['1', '2', '3', '4']) expect(await codeOf(confirm(guess))).to.equal('email_code_invalid')
    const again = await auth.emailConfirmation.issue(ada.user.id, email, { retried: true })
    expect(again).to.be.a('string')
    expect(await codeOf(confirm('5'))).to.equal('email_code_invalid')
    expect(await codeOf(confirm(again ?? ''))).to.equal('email_code_invalid')
    expect(await auth.emailConfirmation.issue(ada.user.id, email, { retried: true })).to.equal(undefined)
    await confirm(await issued())
  })

  it('works after four wrong codes', async () => {
    const code = await issued()
    for (const guess of ['', '1', '2', '3']) expect(await codeOf(confirm(guess))).to.equal('email_code_invalid')
    await confirm(code)
  })

  it('is refused after half an hour', async () => {
    const code = await issued()
    await auth.clock.advance(30 * minuteMs)
    expect(await codeOf(confirm(code))).to.equal('email_code_invalid')
  })

  it('is refused with an earlier code', async () => {
    const code = await issued()
    await issued()
    expect(await codeOf(confirm(code))).to.equal('email_code_invalid')
  })

  it('works once, also for two at once', async () => {
    const code = await issued()
    auth.store.pause = turnOfTheLoop
    const outcomes = await Promise.allSettled([confirm(code), confirm(code)])
    expect(outcomes.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected'])
    expect((await kinds()).filter((kind) => kind === 'email.confirmed')).to.have.length(1)
    expect(await codeOf(confirm(code))).to.equal('email_confirmed')
    expect(await codeOf(request())).to.equal('email_confirmed')
    expect(await auth.emailConfirmation.issue(ada.user.id, email)).to.equal(undefined)
    await auth.administration.change(ada.user.id, { emailVerified: false }, noActor)
    expect(await codeOf(confirm(code))).to.equal('email_code_invalid')
  })

  it('is refused to a disabled account and one without an address', async () => {
    const bob = await auth.register('bob')
    expect(await codeOf(request(bob.user.id))).to.equal('email_missing')
    const carl = await auth.register('carl', { email: 'carl@example.org' })
    await auth.administration.change(carl.user.id, { disabled: true }, noActor)
    expect(await codeOf(request(carl.user.id))).to.equal('unauthenticated')
  })

  it('is needed again after every change of the address, by the person and by an admin', async () => {
    await confirm(await issued())
    await change(' ADA@Example.org ')
    expect(await isConfirmed()).to.equal(true)
    await change('other@example.org')
    await change(email)
    expect(await isConfirmed()).to.equal(false)
    await confirm(await issued())
    await auth.administration.change(ada.user.id, { email: 'other@example.org' }, noActor)
    expect(await isConfirmed()).to.equal(false)
    await change(null)
    expect(await auth.directory.contact(ada.user.id)).to.deep.equal({ email: null, hasUnconfirmedEmail: false, name: null })
  })

  describe('limits e-mails with codes', () => {
    const times = async (count: number, userId = ada.user.id): Promise<void> => {
      for (let number = 0; number < count; number += 1) await request(userId)
    }

    it('to three an hour and five a day for an account, whatever its addresses', async () => {
      for (const to of ['one@example.org', 'two@example.org', 'three@example.org']) {
        await change(to)
        await request()
      }
      await change('four@example.org')
      expect(await codeOf(request())).to.equal('rate_limited')
      await auth.clock.advance(hourMs)
      await times(2)
      await auth.clock.advance(hourMs)
      expect(await codeOf(request())).to.equal('rate_limited')
      await auth.clock.advance(22 * hourMs)
      await request()
    })

    it('to three a day for a mailbox and one for the address, over accounts that come and go', async () => {
      await change(null)
      for (const name of ['one', 'two', 'three', 'more']) {
        const { user } = await auth.register(name, { email: 'victim@example.org' })
        await request(user.id)
        await auth.administration.delete(user.id, noActor)
      }
      const { user } = await auth.register('four', { email: 'victim@example.org' })
      expect(await codeOf(request(user.id))).to.equal('rate_limited')
      expect(JSON.stringify(await auth.store.stored(emailLimits))).to.not.include('victim')
      await auth.clock.advance(24 * hourMs)
      await request(user.id)
    })

    const outcomesOf = async (spellings: readonly string[]): Promise<readonly string[]> => {
      const outcomes: string[] = []
      for (const [index, spelling] of spellings.entries()) {
        const { user } = await auth.register(`user-${index}`, { email: spelling })
        const outcome = request(user.id).then(() => 'permitted')
        outcomes.push(await outcome.catch((error: { readonly code?: string }) => error.code ?? 'failed'))
      }
      return outcomes
    }
    const three = ['permitted', 'permitted', 'permitted', 'rate_limited']

    it('to one mailbox, however it is tagged', async () => {
      const tagged = [
        'victim+1@münchen.example',
        'victim+2@xn--mnchen-3ya.example',
        'Victim+a+b@München.example',
        'victim+@MÜNCHEN.example',
      ]
      expect(await outcomesOf(tagged)).to.deep.equal(three)
    })

    it('to one mailbox, wherever dots and tags after a hyphen are ignored', async () => {
      expect(await outcomesOf(['v.ictim@gmail.com', 'vi.ctim@googlemail.com', 'v.i.ctim+1@gmail.com', 'vict.im@gmail.com'])).to.deep.equal(
        three,
      )
      auth = await openAuthUnderTest()
      const yahoo = ['victim-1@yahoo.com', 'victim-2@yahoo.com', 'victim+3@yahoo.com', 'victim-4@yahoo.com']
      expect(await outcomesOf(yahoo)).to.deep.equal(three)
    })

    it('to each address, where dots and hyphens make another one', async () => {
      const others = ['j.ones@corp.example', 'jo.nes@corp.example', 'jon.es@corp.example', 'jone.s@corp.example', 'j-ones@corp.example']
      expect(new Set(await outcomesOf(others))).to.deep.equal(new Set(['permitted']))
    })

    it('and leaves one a day to the address itself, whatever tagged spellings use up', async () => {
      for (let day = 0; day < 3; day += 1) {
        for (const name of ['eve', 'eva']) {
          const known = await auth.accounts.findByLogin(name)
          const id = known?.id ?? (await auth.register(name, { email: `ada+${name}@example.org` })).user.id
          await Promise.allSettled([request(id), request(id), request(id)])
          expect(await codeOf(request(id))).to.equal('rate_limited')
        }
        await request()
        expect(await codeOf(request())).to.equal('rate_limited')
        await auth.clock.advance(24 * hourMs)
      }
    })

    it('in the store, so that a restart and requests at once change nothing', async () => {
      auth.store.pause = turnOfTheLoop
      const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => request()))
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(3)
      const again = await openAuthUnderTest({ store: auth.store })
      expect(await codeOf(again.emailConfirmation.request(ada.user.id, by))).to.equal('rate_limited')
    })

    it('and forgets the counts', async () => {
      await request()
      const prune = auth.jobs.find(({ id }) => id === 'kernel.prune-email-limits')
      await prune?.run({ signal: new AbortController().signal, epoch: 1 })
      expect(await auth.store.stored(emailLimits)).to.have.length(1)
      await auth.clock.advance(49 * hourMs)
      await prune?.run({ signal: new AbortController().signal, epoch: 1 })
      expect(await auth.store.stored(emailLimits)).to.have.length(0)
    })
  })

  describe('by an identity provider', () => {
    const identity: ExternalIdentity = { issuer: 'https://login.example.org', subject: 'ada', email, emailVerified: true }

    it('is done by the address that it has verified, once', async () => {
      await signIn(identity)
      const { updated_at: at } = (await auth.accounts.get(ada.user.id)) ?? {}
      expect(await isConfirmed()).to.equal(true)
      await auth.clock.advance(minuteMs)
      await signIn(identity)
      expect((await auth.accounts.get(ada.user.id))?.updated_at).to.equal(at)
      expect((await kinds()).filter((kind) => kind === 'email.confirmed')).to.have.length(1)
    })

    for (const [what, more] of [
      ['that it has not verified', { emailVerified: false }],
      ['of which it says nothing', { emailVerified: undefined }],
      ['that is another one', { email: 'other@example.org' }],
      ['in other letters', { email: '\u0430da@example.org' }],
    ] as const)
      it(`is not done by an address ${what}`, async () => {
        await signIn(identity)
        await auth.administration.change(ada.user.id, { emailVerified: false }, noActor)
        await signIn({ ...identity, ...more } as ExternalIdentity)
        expect(await isConfirmed()).to.equal(false)
      })

    it('is done for a new account only with a verified address', async () => {
      const verified = await signIn({ ...identity, subject: 'bob', email: 'bob@example.org' })
      const unverified = await signIn({ ...identity, subject: 'eve', email: 'eve@example.org', emailVerified: false })
      expect([await isConfirmed(verified.userId), await isConfirmed(unverified.userId)]).to.deep.equal([true, false])
    })

    it('ends the password of an account whose address a code confirmed before, and takes nothing else from it', async () => {
      await confirm(await issued())
      const { handOver } = await signIn(identity)
      expect((await auth.accounts.get(ada.user.id))?.password_hash).to.equal(null)
      expect(handOver).to.equal(undefined)
      const eve = await auth.register('eve', { email: 'eve@example.org' })
      expect((await signIn({ ...identity, subject: 'eve', email: 'eve@example.org' })).handOver).to.be.an('object')
      expect((await auth.accounts.get(eve.user.id))?.password_hash).to.equal(null)
    })
  })

  describe('by an admin', () => {
    it('is done for the address that the admin names, and for no other', async () => {
      expect(await codeOf(auth.administration.change(ada.user.id, { emailVerified: true }, noActor))).to.equal('invalid_request')
      expect(await codeOf(auth.administration.change(ada.user.id, { email: null, emailVerified: true }, noActor))).to.equal(
        'invalid_request',
      )
      await auth.administration.change(ada.user.id, { email, emailVerified: true }, noActor)
      expect(await isConfirmed()).to.equal(true)
      await auth.administration.change(ada.user.id, { email: 'new@example.org', emailVerified: true }, noActor)
      expect(await auth.directory.contact(ada.user.id)).to.include({ email: 'new@example.org' })
      const { json } = await auth.call('listAuditEvents', { query: { limit: 200, kind: 'account.changed' } })
      expect(JSON.stringify(json)).to.include('email_verified_at')
    })

    it('needs a confirmed session', async () => {
      const principal = await auth.principal(ada.access_token)
      const params = { user_id: ada.user.id }
      for (const body of [{ email, email_verified: true }, { email_verified: false }])
        expect(await codeOf(auth.call('changeUser', { principal, params, body }))).to.equal('confirmation_required')
      const account = { username: 'bob', password: 'bob-secret-1', email: 'bob@example.org' }
      expect(await codeOf(auth.call('createUser', { principal, body: { ...account, email_verified: true } }))).to.equal(
        'confirmation_required',
      )
      const confirmed = await auth.confirm(ada.access_token)
      const { json } = await auth.call('createUser', { principal: confirmed, body: { ...account, email_verified: true } })
      expect(json).to.include({ email: 'bob@example.org', email_verified: true })
    })

    it('is not what a person who registers can ask for', async () => {
      const input = { username: 'eve', password: 'eve-secret-1', email: 'eve@example.org', email_verified: true }
      const grant = { trusted: false, mayBeFirst: false, vouchesForEmail: true }
      const { user } = await auth.accounts.create(input, grant, () => undefined)
      expect(user.email_verified_at).to.equal(null)
    })
  })

  it('is announced: what is to be confirmed, and what was confirmed before', async () => {
    const changes: EmailChange[] = []
    const stop = auth.emailConfirmation.watch((each) => void changes.push(each))
    const userId = ada.user.id
    await change('one@example.org')
    await auth.administration.change(userId, { email, emailVerified: true }, noActor)
    await change('two@example.org')
    await auth.administration.change(userId, { email, emailVerified: true }, noActor)
    await auth.administration.change(userId, { email: null }, noActor)
    const bob = await auth.register('bob', { email: 'bob@example.org' })
    await auth.register('carl')
    stop()
    await change('three@example.org')
    expect(changes).to.deep.equal([
      { userId, confirmedBefore: null, wantsCode: true },
      { userId, confirmedBefore: email, wantsCode: true },
      { userId, confirmedBefore: email, wantsCode: false },
      { userId: bob.user.id, confirmedBefore: null, wantsCode: true },
    ])
  })

  it('is settled once for accounts of earlier releases', async () => {
    const { store } = auth
    const bob = await auth.register('bob')
    const eve = await auth.register('eve')
    const collection = store.database.collection(users)
    const put = async (id: string, more: object): Promise<void> => {
      const user = await collection.get(id)
      if (user) await collection.put({ ...user, ...more })
    }
    await put(bob.user.id, { email: 'bob@münchen.example' })
    await put(eve.user.id, { email: '<eve@example>' })
    for (const [id, identity] of Object.entries({ ada: email, bob: 'bob@MÜNCHEN.example', eve: email }))
      await store.database.collection(externalIdentities).put({
        ...{ id, user_id: { ada, bob, eve }[id]?.user.id ?? '', issuer: 'https://login.example.org', subject: id, email: identity },
        ...{ email_verified: true, created_at: '2026-01-01T00:00:00.000Z', last_sign_in_at: '2026-01-01T00:00:00.000Z' },
      })
    await store.database.collection(authSettings).delete('settled-addresses')
    auth = await openAuthUnderTest({ store })
    expect([await isConfirmed(), await isConfirmed(bob.user.id), await isConfirmed(eve.user.id)]).to.deep.equal([true, true, false])
    expect((await auth.accounts.get(bob.user.id))?.email).to.equal('bob@xn--mnchen-3ya.example')
    expect((await auth.accounts.findByLogin('BOB@München.example'))?.id).to.equal(bob.user.id)
    expect((await auth.accounts.findByLogin('<Eve@example>'))?.id).to.equal(eve.user.id)
    expect(await codeOf(request(eve.user.id))).to.equal('email_missing')
    await auth.administration.change(ada.user.id, { emailVerified: false }, noActor)
    auth = await openAuthUnderTest({ store })
    expect(await isConfirmed()).to.equal(false)
  })

  it('takes one address in all of its spellings as one', async () => {
    await change('ada@münchen.example')
    expect((await auth.accounts.get(ada.user.id))?.email).to.equal('ada@xn--mnchen-3ya.example')
    expect(await codeOf(auth.register('bob', { email: 'ADA@XN--MNCHEN-3YA.example' }))).to.equal('email_taken')
    expect(await codeOf(auth.register('bob', { email: 'ada@ＭÜＮＣＨＥＮ.example' }))).to.equal('email_taken')
    for (const none of [
      '<a@b.example>',
      'a@b.example, c@d.example',
      'a\u0000@b.example',
      'a@b.example\r\nBcc: c@d.example',
      'a\u202E@b.example',
      '"a b"@c.example',
      'a@[127.0.0.1]',
      '.a@b.example',
      'a@b',
      'relay!a@b.example',
    ])
      expect(await codeOf(change(none)), JSON.stringify(none)).to.equal('invalid_request')
  })

  it('slows down guessing a password over all spellings of an address together', async () => {
    await change('ada@example.org')
    const ends = new AbortController()
    // The wide letters of each are others.
    const spellings = Array.from({ length: 12 }, (_, number) =>
      [...'example'].map((letter, place) => ((number >> place) & 1 ? String.fromCharCode(letter.charCodeAt(0) + 0xfee0) : letter)).join(''),
    )
    const guesses = spellings.map((domain) =>
      auth.call('login', {
        ...{ body: { username: `ada@${domain}.org`, password: 'wrong-secret-1' }, address: '198.51.100.1', signal: ends.signal },
      }),
    )
    const codes = guesses.map(async (guess) => {
      if ((await codeOf(guess)) !== 'rate_limited') return new Promise<never>(() => undefined)
      return 'rate_limited'
    })
    expect(await Promise.race(codes)).to.equal('rate_limited')
    ends.abort(new DOMException('The test ends.', 'AbortError'))
    await Promise.allSettled(guesses)
  })
})
