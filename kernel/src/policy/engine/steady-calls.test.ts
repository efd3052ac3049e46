import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'

/** Optimises a call of the engine, and gives the optimised code up while the engine is at work: it reads its input through `JSON.stringify`. */
const program = (before: string): string => `
import { createRequire } from 'node:module';
${before}
const { policyToJson } = createRequire(${JSON.stringify(import.meta.url)})('@cedar-policy/cedar-wasm/nodejs');
let giveUp = false;
const stringify = JSON.stringify;
JSON.stringify = (value) => { if (giveUp) { %DeoptimizeFunction(policyToJson); %DeoptimizeFunction(read); } return stringify(value); };
function read() { return policyToJson('permit(principal,action,resource);'); }
%PrepareFunctionForOptimization(policyToJson); %PrepareFunctionForOptimization(read);
for (let turn = 0; turn < 200; turn++) read();
%OptimizeFunctionOnNextCall(read);
read(); read();
giveUp = true;
process.stdout.write(read().type);
`

describe('calls of the policy engine', () => {
  it('survive that V8 gives up the code that makes them', async () => {
    const guard = `await import(${JSON.stringify(new URL('./steady-calls.js', import.meta.url).href)});`
    const args = ['--allow-natives-syntax', '--input-type=module', '--eval', program(guard)]
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: {}, timeout: 30_000 })
    expect(stdout).to.equal('success')
  })
})
