// Rates a page with the mobile preset in a browser that listens at this port: node rate.mjs <port> <url>
import lighthouse from 'lighthouse'

const [port, url] = process.argv.slice(2)
const { lhr } = await lighthouse(url, { port: Number(port), logLevel: 'silent' })
const categories = Object.entries(lhr.categories)
const isCostly = ({ id, weight }) => weight > 0 && (lhr.audits[id].score ?? 1) < 0.9
const result = {
  ...Object.fromEntries(categories.map(([name, { score }]) => [name, Math.round(score * 100)])),
  short_of: categories.flatMap(([, { auditRefs }]) =>
    auditRefs.filter(isCostly).map(({ id }) => id),
  ),
}
process.stdout.write(JSON.stringify(result))
