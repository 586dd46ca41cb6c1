@node "%~dp0..\..\dist\provider\plugin.js" %*
