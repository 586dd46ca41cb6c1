@node "%~dp0..\..\dist\provider\engine\plugin\main.js" %*
