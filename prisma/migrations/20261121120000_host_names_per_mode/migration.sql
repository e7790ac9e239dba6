-- DropIndex
DROP INDEX "properties_subdomain_key";

-- DropIndex
DROP INDEX "properties_custom_domain_key";

-- CreateIndex
CREATE UNIQUE INDEX "properties_mode_subdomain_key" ON "properties"("mode", "subdomain");

-- CreateIndex
CREATE UNIQUE INDEX "properties_mode_custom_domain_key" ON "properties"("mode", "custom_domain");
