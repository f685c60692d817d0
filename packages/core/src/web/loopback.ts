/** True if a host, without port, is the machine itself. RFC 6761 reserves names below `localhost` for it. */
export const isLoopback = (hostname: string): boolean =>
  ['localhost', '::1', '[::1]'].includes(hostname.toLowerCase()) ||
  /\.localhost$/i.test(hostname) ||
  /^127(\.\d{1,3}){3}$/.test(hostname)
