# Text files as C strings: cmake -DOUT=file.c -DNAME=table -DFILES="a;b" -P embed.cmake
# makes `const EmbeddedFile NAME[]`, ended by a NULL name.
set(text "// made from text files by cmake/embed.cmake\n#include \"model/embedded.h\"\nconst EmbeddedFile ${NAME}[] = {\n")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME)
  file(READ ${file} body)
  string(REPLACE "\\" "\\\\" body "${body}")
  string(REPLACE "\"" "\\\"" body "${body}")
  string(REPLACE "\n" "\\n\"\n    \"" body "${body}")
  string(APPEND text "    {\"${name}\",\n    \"${body}\"},\n")
endforeach()
string(APPEND text "    {0, 0}};\n")
file(WRITE ${OUT} "${text}")
