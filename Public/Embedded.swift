/// The files of the web reader, embedded at build time.
package enum EmbeddedReader {
    /// File contents, keyed by file name.
    package static let files: [String: [UInt8]] = [
        "page.mustache": PackageResources.page_mustache,
        "head.mustache": PackageResources.head_mustache,
        "header.mustache": PackageResources.header_mustache,
        "footer.mustache": PackageResources.footer_mustache,
        "status.mustache": PackageResources.status_mustache,
        "profile.mustache": PackageResources.profile_mustache,
        "button.mustache": PackageResources.button_mustache,
        "people.mustache": PackageResources.people_mustache,
        "report.mustache": PackageResources.report_mustache,
        "lists.mustache": PackageResources.lists_mustache,
        "rows.mustache": PackageResources.rows_mustache,
        "notifications.mustache": PackageResources.notifications_mustache,
        "picture.mustache": PackageResources.picture_mustache,
        "about.mustache": PackageResources.about_mustache,
        "admin.mustache": PackageResources.admin_mustache,
        "reset.mustache": PackageResources.reset_mustache,
        "apps.mustache": PackageResources.apps_mustache,
        "authorize.mustache": PackageResources.authorize_mustache,
        "join.mustache": PackageResources.join_mustache,
        "login.mustache": PackageResources.login_mustache,
        "compose.mustache": PackageResources.compose_mustache,
        "deletion.mustache": PackageResources.deletion_mustache,
        "style.css": PackageResources.style_css,
        "reader.js": PackageResources.reader_js,
        "icon.svg": PackageResources.icon_svg,
        "icon-512.png": PackageResources.icon_512_png,
        "apple-touch-icon.png": PackageResources.apple_touch_icon_png,
        "favicon.ico": PackageResources.favicon_ico,
    ]
}
