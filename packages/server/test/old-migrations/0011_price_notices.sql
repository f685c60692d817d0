-- Whoever changes the prices, by whatever statement, tells every process that remembers them.
create function announce_prices() returns trigger language plpgsql as $$
begin
  perform pg_notify('prices_changed', '');
  return null;
end
$$;
create trigger announce_change after insert or update or delete on price_tables
  for each statement execute function announce_prices();
