import { availableParallelism, totalmem } from 'node:os'
import { expect } from 'chai'
import { readMachineSize } from './machine-size.js'

const gibibyte = 1_073_741_824
const machine = { processors: 8, memoryBytes: 16 * gibibyte }
const sizeWith = (files: Readonly<Record<string, string>>) => readMachineSize({ machine, read: async (file) => files[file] })

describe('the size of the machine', () => {
  it('is the machine’s own where nothing limits the service', async () => {
    expect(await sizeWith({})).to.deep.equal(machine)
    expect(await sizeWith({ '/proc/self/cgroup': '0::/\n' })).to.deep.equal(machine)
    const here = await readMachineSize()
    expect(here.processors).to.be.within(0.01, availableParallelism())
    expect(here.memoryBytes).to.be.within(1, totalmem())
  })

  it('is that of a container, by control groups of version 2', async () => {
    const group = {
      '/proc/self/cgroup': '0::/\n',
      '/sys/fs/cgroup/cpu.max': '150000 100000\n',
      '/sys/fs/cgroup/memory.max': `${gibibyte}\n`,
    }
    expect(await sizeWith(group)).to.deep.equal({ processors: 1.5, memoryBytes: gibibyte })
    expect(await sizeWith({ ...group, '/sys/fs/cgroup/cpu.max': 'max 100000\n', '/sys/fs/cgroup/memory.max': 'max\n' })).to.deep.equal(
      machine,
    )
  })

  it('is the least of a group and those above it', async () => {
    const files = {
      '/proc/self/cgroup': '0::/service/main\n',
      '/sys/fs/cgroup/service/main/memory.max': 'max',
      '/sys/fs/cgroup/service/memory.max': String(2 * gibibyte),
      '/sys/fs/cgroup/service/main/cpu.max': '400000 100000',
      '/sys/fs/cgroup/service/cpu.max': '200000 100000',
    }
    expect(await sizeWith(files)).to.deep.equal({ processors: 2, memoryBytes: 2 * gibibyte })
  })

  it('is that of a container, by control groups of version 1', async () => {
    const files = {
      '/proc/self/cgroup': '5:memory:/docker/x\n4:cpu,cpuacct:/docker/x\n0::/\n',
      '/sys/fs/cgroup/memory/memory.limit_in_bytes': String(3 * gibibyte),
      '/sys/fs/cgroup/cpu/docker/x/cpu.cfs_quota_us': '50000',
      '/sys/fs/cgroup/cpu/docker/x/cpu.cfs_period_us': '100000',
      '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1',
      '/sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000',
    }
    expect(await sizeWith(files)).to.deep.equal({ processors: 0.5, memoryBytes: 3 * gibibyte })
  })

  it('is no larger than the machine, whatever a file says', async () => {
    const files = {
      '/proc/self/cgroup': '0::/../..',
      '/sys/fs/cgroup/memory.max': '9223372036854771712',
      '/sys/fs/cgroup/cpu.max': 'nonsense',
    }
    expect(await sizeWith(files)).to.deep.equal(machine)
  })
})
