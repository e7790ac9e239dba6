-- The queue of deliveries is read by endpoint. With a second index of pending rows the planner, whose statistics are from
-- a time when nothing was pending, chose it and read the whole backlog for each endpoint.
DROP INDEX "partial_deliveries_pending";
