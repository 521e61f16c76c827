/* SPDX-License-Identifier: MIT */
/* What the plugin of the cases about code exports. */
#pragma once

/* Burns, starts a thread, handles a signal, sleeps; returns how much of that went well. */
int bare_plugin_work(void);
