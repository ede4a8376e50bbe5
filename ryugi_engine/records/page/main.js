// The page of recorded games begins.

import { follow } from "records/keys.js";

follow();
