/**
 * The bill of materials of an artefact in two formats, CycloneDX 1.6 and SPDX 2.3: what it is, what of others' code is in it, and
 * what is installed beside it. Both depend on the artefact only, so that two builds give the same bytes.
 * @module
 */
import { createHash } from "node:crypto";
import { type Component, purl } from "./components.js";

const SUPPLIER = "The Winnow authors";
const REPOSITORY = "https://github.com/winnow-dp/winnow";

export interface Artefact {
  /** Of the file, without folders. */
  readonly file: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly type: "library" | "application" | "data";
  /** Where a registry has it under this name. */
  readonly purl?: string;
  /** In hexadecimal. */
  readonly sha256: string;
  readonly components: readonly Component[];
  /** ISO 8601, of the commit. */
  readonly time: string;
}

export function cycloneDx(artefact: Artefact): object {
  const { file, name, version, description, type, sha256, components, time } = artefact;
  const root = artefact.purl ?? `${name}@${version}`;
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${uuidOf(sha256)}`,
    version: 1,
    metadata: {
      timestamp: time,
      supplier: { name: SUPPLIER, url: [REPOSITORY] },
      component: {
        type,
        "bom-ref": root,
        name,
        version,
        description,
        hashes: [{ alg: "SHA-256", content: sha256 }],
        licenses: licenses("Apache-2.0"),
        ...(artefact.purl === undefined ? {} : { purl: artefact.purl }),
        properties: [{ name: "winnow:file", value: file }],
      },
    },
    components: components.map((each) => ({
      type: "library",
      "bom-ref": purl(each.name, each.version),
      name: each.name,
      version: each.version,
      scope: each.isOptional ? "optional" : "required",
      ...(each.sha512 === undefined ? {} : { hashes: [{ alg: "SHA-512", content: each.sha512 }] }),
      licenses: licenses(each.license),
      purl: purl(each.name, each.version),
      properties: [{ name: "winnow:bundled", value: String(each.isBundled) }],
    })),
    dependencies: [{ ref: root, dependsOn: components.map((each) => purl(each.name, each.version)) }],
  };
}

export function spdx(artefact: Artefact): object {
  const { file, name, version, sha256, components, time } = artefact;
  const root = "SPDXRef-artefact";
  const idOf = (each: Component) =>
    `SPDXRef-${`${each.name}-${each.version}`.replace(/[^\dA-Za-z.-]+/g, "-").replace(/^-/, "")}`;
  return {
    spdxVersion: "SPDX-2.3",
    dataLicense: "CC0-1.0",
    SPDXID: "SPDXRef-DOCUMENT",
    name: file,
    documentNamespace: `${REPOSITORY}/sbom/${file}-${sha256}`,
    creationInfo: { created: time, creators: [`Organization: ${SUPPLIER}`] },
    packages: [
      {
        SPDXID: root,
        name,
        versionInfo: version,
        packageFileName: file,
        supplier: `Organization: ${SUPPLIER}`,
        checksums: [{ algorithm: "SHA256", checksumValue: sha256 }],
        ...(artefact.purl === undefined ? {} : { externalRefs: [reference(artefact.purl)] }),
        ...declared("Apache-2.0"),
      },
      ...components.map((each) => ({
        SPDXID: idOf(each),
        name: each.name,
        versionInfo: each.version,
        ...(each.sha512 === undefined
          ? {}
          : { checksums: [{ algorithm: "SHA512", checksumValue: each.sha512 }] }),
        externalRefs: [reference(purl(each.name, each.version))],
        ...declared(each.license),
      })),
    ],
    relationships: [
      { spdxElementId: "SPDXRef-DOCUMENT", relationshipType: "DESCRIBES", relatedSpdxElement: root },
      ...components.map((each) => ({
        spdxElementId: each.isOptional ? idOf(each) : root,
        relationshipType: each.isBundled
          ? "CONTAINS"
          : each.isOptional
            ? "OPTIONAL_DEPENDENCY_OF"
            : "DEPENDS_ON",
        relatedSpdxElement: each.isOptional ? root : idOf(each),
      })),
    ],
  };
}

const licenses = (expression: string) =>
  /[ ()]/.test(expression) ? [{ expression }] : [{ license: { id: expression } }];

const declared = (license: string) => ({
  downloadLocation: "NOASSERTION",
  filesAnalyzed: false,
  licenseConcluded: "NOASSERTION",
  licenseDeclared: license,
  copyrightText: "NOASSERTION",
});

const reference = (locator: string) => ({
  referenceCategory: "PACKAGE-MANAGER",
  referenceType: "purl",
  referenceLocator: locator,
});

/** A UUID (version 8, RFC 9562) made from a hash. */
function uuidOf(sha256: string): string {
  const hex = createHash("sha256").update(`winnow-sbom ${sha256}`).digest("hex");
  const variant = ((Number.parseInt(hex[16], 16) & 3) | 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}
