/**
 * The release as files. They are made in the page and handed to the browser; nothing is sent anywhere.
 * @module
 */
import { useSignal } from "@preact/signals";
import type { Published } from "../../worker/api.js";
import { Icon } from "../parts/icon.js";
import { toPng } from "./to-png.js";

type Form = "CSV" | "JSON" | "SVG" | "PNG";
const FORMS: readonly Form[] = ["CSV", "JSON", "SVG", "PNG"];

export function Downloads({ published }: { readonly published: Published }) {
  const failed = useSignal(false);
  const give = async (form: Form) => {
    try {
      save(await fileOf(form, published), `${fileName(published.id)}.${form.toLowerCase()}`);
      failed.value = false;
    } catch {
      failed.value = true;
    }
  };
  return (
    <div class="stack-tight">
      <div class="row downloads">
        {FORMS.map((form) => (
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

async function fileOf(form: Form, { documents }: Published): Promise<Blob> {
  switch (form) {
    case "CSV":
      return new Blob([documents.csv], { type: "text/csv;charset=utf-8" });
    case "JSON":
      return new Blob([documents.json], { type: "application/json" });
    case "SVG":
      return new Blob([documents.svg.light], { type: "image/svg+xml" });
    case "PNG":
      return toPng(documents.svg.light);
  }
}

function fileName(id: string): string {
  return `release-${id.slice(0, 8).replace(/[^\w-]/g, "")}`;
}

/** A link that is pressed once. The address is taken back after the browser has had time to follow it. */
function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
