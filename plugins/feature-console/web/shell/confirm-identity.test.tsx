import { fakeApi, problem, render, screen, waitFor } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { paths } from '../api/schema.js'
import { signInByPassword } from '../test-support/ways-to-sign-in.js'
import { ConfirmIdentity } from './confirm-identity.js'

describe('the question who is at the keyboard', () => {
  it('is answered by the password, which may be wrong once', async () => {
    await signInByPassword()
    const answers: boolean[] = []
    const service = fakeApi<paths>({
      'post /api/auth/confirm': () => problem(401, 'invalid_credentials', { detail: 'The password is wrong.' }),
    })
    const { user } = render(() => <ConfirmIdentity reason="A new address." onAnswer={(confirmed) => answers.push(confirmed)} />)
    expect(screen.getByRole('dialog', { name: 'Is it you?' }).textContent).to.include('A new address.')
    const field = screen.getByLabelText<HTMLInputElement>('Password')
    expect(document.activeElement).to.equal(field)
    await user.keyboard('wrong{Enter}')
    await screen.findByText('The password is wrong.')
    expect([answers, field.getAttribute('aria-invalid')]).to.deep.equal([[], 'true'])
    service.answer({ 'post /api/auth/confirm': () => ({ confirmed_until: '2027-01-01T00:00:00Z' }) })
    await user.clear(field)
    await user.keyboard('right{Enter}')
    await waitFor(() => expect(answers).to.deep.equal([true]))
    expect(service.requestsOf('post /api/auth/confirm').map(({ body }) => body)).to.deep.equal([
      { password: 'wrong' },
      { password: 'right' },
    ])
  })

  it('is given up by Cancel and by Escape', async () => {
    await signInByPassword()
    const answers: boolean[] = []
    const { user } = render(() => <ConfirmIdentity reason="A new address." onAnswer={(confirmed) => answers.push(confirmed)} />)
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await user.keyboard('{Escape}')
    expect(answers).to.deep.equal([false, false])
  })
})
