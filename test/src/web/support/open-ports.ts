/** Ports of the loopback whose sites the browsers of {@link startBrowsingKernel} may reach under names that end with `.test`. */
export const openPorts: Set<number> = new Set()
