/**
 * The page that a service shows to its analysts: the same parts as the studio, over the service's own interface. Nothing is counted or
 * drawn here; what the page knows came as an answer that any program with the same key would get.
 * @module
 */
import "../style/index.css";
import { render } from "preact";
import { AnalystPage } from "./analyst-page.js";
import { followPrice } from "./asking.js";

const root = document.getElementById("app");
if (root === null) throw new Error("the page expects an element #app");
followPrice();
render(<AnalystPage />, root);
