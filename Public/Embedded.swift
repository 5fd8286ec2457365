/// The web reader's files as they were when the program was built.
package enum EmbeddedReader {
    /// Bytes by file name.
    package static let files: [String: [UInt8]] = [
        "page.mustache": PackageResources.page_mustache,
        "status.mustache": PackageResources.status_mustache,
        "authorize.mustache": PackageResources.authorize_mustache,
        "style.css": PackageResources.style_css,
        "reader.js": PackageResources.reader_js,
        "icon.svg": PackageResources.icon_svg,
    ]
}
