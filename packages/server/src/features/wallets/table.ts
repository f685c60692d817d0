export type WalletsTable = {
  user_id: string
  eth_address: string
  source: string
  created_at: Date
}
