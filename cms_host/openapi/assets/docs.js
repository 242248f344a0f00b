"use strict";

// Swagger UI lets the address's query override its configuration, the document's own address included.
if (location.search) {
  history.replaceState(null, "", location.pathname + location.hash);
}

SwaggerUIBundle({
  dom_id: "#docs",
  url: "/docs/openapi.json",
  // The default sends the document to a validator on the internet.
  validatorUrl: null,
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  filter: true,
});
