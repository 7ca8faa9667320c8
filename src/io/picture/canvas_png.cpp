/// The one place where the PNG writer of stb is compiled. It is a system header: its warnings are not ours.
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#include <stb_image_write.h>
