/**
 * Downloads and text to copy. The page makes the files and hands them to the browser; nothing is sent anywhere. If the
 * browser forbids copying, the page selects the text instead.
 * @module
 */
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Published } from "../../worker/api.js";
import { Icon } from "../parts/icon.js";

const FORMS = {
  PNG: { ending: "png", of: ({ documents }: Published) => toPng(documents.svg.light) },
  SVG: { ending: "svg", of: ({ documents }: Published) => blob(documents.svg.light, "image/svg+xml") },
  CSV: { ending: "csv", of: ({ documents }: Published) => blob(documents.csv, "text/csv;charset=utf-8") },
  JSON: { ending: "json", of: ({ documents }: Published) => blob(documents.json, "application/json") },
  Statement: {
    ending: "html",
    of: ({ documents }: Published) => blob(documents.statementPage, "text/html;charset=utf-8"),
  },
} as const;

type Form = keyof typeof FORMS;

async function blob(text: string, type: string): Promise<Blob> {
  return new Blob([text], { type });
}

export function Downloads({ published }: { readonly published: Published }) {
  const failed = useSignal(false);
  const give = async (form: Form) => {
    const { ending, of } = FORMS[form];
    try {
      saveFile(await of(published), `${fileName(published.id)}.${ending}`);
      failed.value = false;
    } catch {
      failed.value = true;
    }
  };
  return (
    <div class="stack-tight">
      <div class="row downloads">
        {(Object.keys(FORMS) as Form[]).map((form) => (
          <button key={form} type="button" class="small-button" onClick={() => void give(form)}>
            <Icon name="download" size={16} />
            <span class="visually-hidden">Download </span>
            {form}
          </button>
        ))}
      </div>
      <p class="hint" role="status">
        {failed.value && "This browser would not draw the picture. Download the SVG instead."}
      </p>
    </div>
  );
}

function fileName(id: string): string {
  return `release-${id.slice(0, 8).replace(/[^\w-]/g, "")}`;
}

interface CodeToCopyProps {
  readonly title: string;
  /** Completes "Copy the …". */
  readonly name: string;
  readonly text: string;
}

export function CodeToCopy({ title, name, text }: CodeToCopyProps) {
  const block = useRef<HTMLPreElement>(null);
  const said = useSignal("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      said.value = "Copied.";
    } catch {
      if (block.current) getSelection()?.selectAllChildren(block.current);
      said.value = "Selected: press Ctrl+C, or ⌘C on a Mac.";
    }
  };
  return (
    <details>
      <summary>{title}</summary>
      <div class="stack-tight">
        <pre ref={block} class="code">
          {text}
        </pre>
        <div class="row">
          <button type="button" class="small-button" onClick={() => void copy()}>
            <Icon name="copy" size={16} />
            Copy the {name}
          </button>
          <span class="soft small" role="status">
            {said}
          </span>
        </div>
      </div>
    </details>
  );
}

/** A link that is pressed once. The address is taken back after the browser has had time to follow it. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A picture as an address that needs no connection. */
export function addressOf(svg: string): string {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}

const FINENESS = 2;

async function toPng(svg: string): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const picture = new Image();
    picture.src = address;
    await picture.decode();
    const canvas = document.createElement("canvas");
    canvas.width = picture.naturalWidth * FINENESS;
    canvas.height = picture.naturalHeight * FINENESS;
    canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error("the canvas gave no picture"))),
        "image/png",
      );
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}
