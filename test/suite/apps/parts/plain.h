enum { PLAIN = 7 };
