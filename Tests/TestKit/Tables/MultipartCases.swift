/// Cases shared by the tests of the form parser and of the server: those whose result does not depend on how the parts
/// are used.
package enum MultipartCases {
    /// Contents that must remain unchanged.
    package static let contents: [(id: String, content: String)] = [
        ("M20 partial delimiter", "x\r\n--Xb\r\ny"), ("M21 not at a line start", "x--XbX y"),
        ("M22 longer boundary", "x\r\n--XbXtail\r\ny"), ("M22b one dash", "x\r\n--XbX-\r\ny"),
        ("M22c dash, text", "x\r\n--XbX-y"), ("M22d boundary, CR", "x\r\n--XbX\ry"),
        ("M22e boundary, LF", "x\r\n--XbX\ny"), ("M23 line ends at the end", "x\r\n\r\n\n\r"),
        ("M23b CR before delimiter", "x\r\r\r"), ("M23c starts like a delimiter", "\r\n--Xb"),
    ]

    private static let seventy = String(repeating: "b", count: 70)

    /// Content types and the boundary in each.
    package static let boundaries: [(id: String, type: String, boundary: String)] = [
        ("M25 quoted", "multipart/form-data; boundary=\"XbX\"", "XbX"),
        ("M26 special", "multipart/form-data; boundary=\"a'()+_,-./:=?b\"", "a'()+_,-./:=?b"),
        ("M27 70", "multipart/form-data; boundary=" + seventy, seventy),
        ("M33 upper case", "Multipart/Form-Data; BOUNDARY=XbX", "XbX"),
        ("M34 charset", "multipart/form-data; charset=utf-8; boundary=XbX", "XbX"),
        ("M34b charset after", "multipart/form-data;boundary=XbX ; charset=utf-8", "XbX"),
        ("X05 a pattern", "multipart/form-data; boundary=\"a.+(b)?\"", "a.+(b)?"),
    ]

    /// Content types with which a form with the boundary `XbX` is rejected.
    package static let wrongTypes: [(id: String, type: String?)] = [
        ("M28 71", "multipart/form-data; boundary=b" + seventy),
        ("M29 300", "multipart/form-data; boundary=" + String(repeating: "b", count: 300)),
        ("M30 none", "multipart/form-data"), ("M30b no type", nil),
        ("M30c other type", "multipart/mixed; boundary=XbX"), ("M31 empty", "multipart/form-data; boundary="),
        ("M31b empty", "multipart/form-data; boundary=\"\""), ("M32 wrong", "multipart/form-data; boundary=YbY"),
        ("M35 two", "multipart/form-data; boundary=XbX; boundary=YbY"),
        ("M35b two alike", "multipart/form-data; boundary=XbX; Boundary=XbX"),
    ]

    /// File names as sent between the quotes, and the resulting names.
    package static let fileNames: [(id: String, sent: String, name: String)] = [
        ("M50 escaped quote", "a\\\"b.txt", "a\"b.txt"), ("M50b backslash at the end", "a\\", "a"),
        ("M50c escaped quote and ;", "a\\\";b.txt", "a\";b.txt"), ("M51 %22", "a%22b.txt", "a\"b.txt"),
        ("M52 %0D%0A", "a%0D%0Ab.txt", "ab.txt"), ("M52b %0d%0a", "a%0d%0ab.txt", "ab.txt"),
        ("M53 other %", "a%41.txt", "a%41.txt"), ("M54 Windows path", "C:\\dir\\x.txt", "x.txt"),
        ("M55 dots", "../../etc/passwd", "passwd"), ("M56 Windows dots", "..\\..\\x", "x"),
        ("M57 absolute", "/etc/passwd", "passwd"),
        ("M58 UTF-8", "\u{65E5}\u{672C}\u{8A9E}.txt", "\u{65E5}\u{672C}\u{8A9E}.txt"),
        ("M66 encoded word", "=?UTF-8?B?5pel?=", "=?UTF-8?B?5pel?="), ("M67 ; and =", "a;b=c.txt", "a;b=c.txt"),
        ("M68 entity", "&#9731;.txt", "&#9731;.txt"), ("M69 blanks", "  ", "file"), ("M69b dot", ".", "file"),
        ("M69c dots", "..", "file"), ("M69d path of dots", "../..", "file"), ("M69e slash", "/", "file"),
        ("M69f hidden", ".htaccess", "htaccess"), ("M69g dot at the end", "x.txt.", "x.txt."),
        ("M69h blank at the end", "x.txt ", "x.txt"), ("M69i blanks around", " x.txt. ", "x.txt."),
        ("M69j reserved", "CON", "CON"), ("M69k markup", "<b>&amp;.txt", "<b>&amp;.txt"),
        ("X02 file name of 255", String(repeating: "n", count: 255), String(repeating: "n", count: 255)),
        ("X03 joined emoji", "\u{1F469}\u{200D}\u{1F52C}.png", "\u{1F469}\u{200D}\u{1F52C}.png"),
    ]

    /// RFC 8187 names as sent after `name="f"; `, and the resulting names.
    package static let extendedNames: [(id: String, parameters: String, name: String)] = [
        ("M61 only filename*", "filename*=UTF-8''%e2%82%ac.txt", "\u{20AC}.txt"),
        ("M62 both", "filename=\"fb.txt\"; filename*=UTF-8''%e2%82%ac.txt", "\u{20AC}.txt"),
        ("M62b both", "filename*=utf-8'en'%E2%82%AC.txt; filename=\"fb.txt\"", "\u{20AC}.txt"),
        ("M63 path", "filename*=UTF-8''..%2f..%2fx", "x"),
        ("M64b charset", "filename=\"fb.txt\"; filename*=ISO-8859-1''abc.txt", "fb.txt"),
        ("M65b percent", "filename=\"fb.txt\"; filename*=UTF-8''a%2", "fb.txt"),
        ("M65c no UTF-8", "filename=\"fb.txt\"; filename*=UTF-8''caf%e9", "fb.txt"),
        ("M65d NUL, NEL", "filename*=UTF-8''a%00b%c2%85c.txt", "abc.txt"),
    ]
}
