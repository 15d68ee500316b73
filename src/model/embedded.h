// SPDX-License-Identifier: MIT
// embedded.h -- text files that are built in (cmake/embed.cmake makes the tables).
#ifndef SCULPT_MODEL_EMBEDDED_H
#define SCULPT_MODEL_EMBEDDED_H
typedef struct EmbeddedFile {
    const char *name, *text;
} EmbeddedFile;
extern const EmbeddedFile embedded_devices[]; // devices/*.dev; a NULL name ends
// stands for the model's text and the devices' (cmake/digest.cmake)
extern const char model_digest[];
#endif
