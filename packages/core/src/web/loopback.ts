/** True if a host, without port, is the machine itself. */
export const isLoopback = (hostname: string): boolean =>
  ['localhost', '::1', '[::1]'].includes(hostname.toLowerCase()) ||
  /^127(\.\d{1,3}){3}$/.test(hostname)
