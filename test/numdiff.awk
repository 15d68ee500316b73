# numdiff.awk WANT HAVE -- the same words in the same places; numbers with a point or an
# exponent within 2e-5 of each other (relative) or 1e-6 (absolute), all other words equal.
function is_real(x) { return x ~ /^[-+]?([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+[eE])[0-9eE+-]*$/ }
function near(x, y,   d, m) {
    d = x - y; if (d < 0) d = -d
    m = x < 0 ? -x : x; if ((y < 0 ? -y : y) > m) m = y < 0 ? -y : y
    return d <= 1e-6 || d <= 2e-5 * m
}
NR == FNR { line[FNR] = $0; lines = FNR; next }
{
    n = split(line[FNR], want); same = n == NF
    for (i = 1; i <= NF && same; i++)
        same = $i == want[i] || (is_real($i) && is_real(want[i]) && near($i + 0, want[i] + 0))
    if (!same) { print FNR ": want " line[FNR]; print FNR ": have " $0; bad++ }
    have = FNR
}
END { if (have != lines) { print lines " lines wanted, " have+0 " printed"; bad++ }; exit bad > 0 }
