# A number that stands for the model's text: cmake -DOUT=file.c "-DFILES=a;b" -P digest.cmake
# makes `const char model_digest[]`, eight digits of a hash of all files, so that a kept prediction says which
# model made it.
set(all "")
foreach(file ${FILES})
  file(SHA256 ${file} one)
  string(APPEND all "${one}")
endforeach()
string(SHA256 all "${all}")
string(SUBSTRING "${all}" 0 8 short)
file(WRITE ${OUT} "// made by cmake/digest.cmake\n#include \"model/embedded.h\"\nconst char model_digest[] = \"${short}\";\n")
